/**
 * `cox task`: works with the tasks of the coordinator's list, or of a document, from the shell. For people, and for
 * agents without MCP. The rules are the same as those of the MCP tools.
 */

import { secretContent } from "../../change/policy/secret-content.ts";
import { type Address, activeList, addressText, readAddress } from "../../document/address.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { closestName } from "../../std/closest-name.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { completeCoordinatorTask } from "../../task/coordinator/complete-coordinator-task.ts";
import { coordinatorTasks } from "../../task/coordinator/coordinator-tasks.ts";
import { startCoordinatorTask } from "../../task/coordinator/start-coordinator-task.ts";
import { subagentDocument } from "../../task/subagent/subagent-address.ts";
import { subagentTasks } from "../../task/subagent/subagent-tasks.ts";
import { type RefusedTask, refused, type TaskRoom } from "../../task/task-room.ts";
import { addNote } from "../../task/work/add-note.ts";
import { completeTask } from "../../task/work/complete-task.ts";
import { taskSlug } from "../../task/work/one-task.ts";
import { startTask } from "../../task/work/start-task.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { EnclosingTurn } from "../../world/processes/enclosing-turn.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { readInput } from "../reply/input.ts";
import { tellProblems } from "../tell-problems.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";
import {
  type CommandAnswer,
  completionAnswer,
  listAnswer,
  noteAnswer,
  operationsAnswer,
  startAnswer,
} from "./command-answer.ts";

/** What `cox task` receives besides the command context; composed by `main.ts`. */
export interface TaskPorts {
  /** The user's name, recorded with each change. */
  readonly user: string;
  readonly enclosingTurn: EnclosingTurn | undefined;
  /** The words typed after `cox`. */
  readonly typed: readonly string[];
  open(root: string): Pick<TaskRoom, "store" | "workflows" | "verify">;
}

export async function taskCommand(door: CommandContext, ports: TaskPorts): Promise<ExitCode> {
  const [verb = "list", ...words] = door.words;
  const act = acts[verb];
  if (!act) return tellProblems(door, "task", [unknownVerb(verb)], exit.usage);
  const [word] = words;
  if (word !== undefined && isAddressed(verb, word))
    return tellProblems(door, "task", [namedByOption(verb, word)], exit.usage);
  const refusal = verb === "list" ? undefined : insideTurn(ports);
  if (refusal) return tellProblems(door, "task", [refusal], exit.refused);
  const where = addressOf(door);
  if ("problem" in where) return tellProblems(door, "task", [where.problem], exit.usage);
  const opened = ports.open(runsRoot(door.files, door.values.one("root")));
  const author = { name: ports.user, door: "terminal" } as const;
  const room: TaskRoom = { ...opened, author, signal: door.signal };
  const acting = act({ door, room, words, ...where.address });
  const answer = await acting.finally(() => opened.store.close());
  if (!("problems" in answer)) return tell(door, answer);
  return tellProblems(door, "task", answer.problems.map(asTyped), codeOf(answer.problems));
}

interface Act extends Address {
  readonly door: CommandContext;
  readonly room: TaskRoom;
  readonly words: readonly string[];
}

const acts: Readonly<Record<string, (act: Act) => Promise<CommandAnswer | RefusedTask>>> = {
  async list({ room, path }) {
    const list = { operation: "list" } as const;
    const listed =
      path === activeList
        ? await coordinatorTasks(room, [list])
        : await subagentTasks(room, { document: path, operations: [list] });
    return "problems" in listed ? listed : listAnswer(listed);
  },
  async add({ door, room, words, path, slug }) {
    const [title = ""] = words;
    if (title === "" || slug !== undefined) return refused(title === "" ? noTitle : slugInAdd);
    const content = await textOf(door, door.values.one("content") ?? "", "content");
    if (typeof content !== "string") return refused(content);
    const secret = await whySecretNotAllowed(door, `${title}\n${content}`);
    if (secret) return refused(secret);
    const create = { operation: "create", title, content: withFields(door, content) } as const;
    const added =
      path === activeList
        ? await coordinatorTasks(room, [create])
        : await subagentTasks(room, { document: path, operations: [create] });
    return "problems" in added ? added : operationsAnswer(added);
  },
  async start({ door, room, path, slug }) {
    const takeOver = door.values.has("take-over");
    if (path === activeList) {
      if (slug !== undefined) return refused(inOrder(slug));
      const started = await startCoordinatorTask(room, { takeOver });
      return "problems" in started ? started : startAnswer(started, started.mainWorkflow);
    }
    if (slug === undefined) return refused(whichTask(path));
    const started = await startTask(room, { address: { path, slug }, takeOver });
    return "problems" in started ? started : startAnswer(started);
  },
  async done({ door, room, words, path, slug }) {
    const note = await textOf(door, door.values.one("note") ?? words[0] ?? "", "note");
    if (typeof note !== "string") return refused(note);
    const secret = await whySecretNotAllowed(door, note);
    if (secret) return refused(secret);
    if (path === activeList) {
      const done = await completeCoordinatorTask(room, { note, task: slug });
      return "problems" in done ? done : completionAnswer(done);
    }
    if (slug === undefined) return refused(whichTask(path));
    const done = await completeTask(room, { address: { path, slug }, note });
    return "problems" in done ? done : completionAnswer(done);
  },
  async note({ door, room, words, path, slug }) {
    const note = await textOf(door, door.values.one("note") ?? words[0] ?? "", "note");
    if (typeof note !== "string") return refused(note);
    const secret = await whySecretNotAllowed(door, note);
    if (secret) return refused(secret);
    if (slug === undefined && path !== activeList) return refused(whichTask(path));
    const noted = await addNote(room, { path, slug, note });
    return "problems" in noted ? noted : noteAnswer(noted);
  },
};

/**
 * Whether a word was meant to name a task rather than to be a title or note. Taken as text, it would go to the wrong
 * task.
 */
function isAddressed(verb: string, word: string): boolean {
  if (verb === "list" || verb === "start") return true;
  return verb !== "add" && /^\/\S+\.md(?:#\S*)?$/.test(word);
}

function namedByOption(verb: string, word: string): Problem {
  return {
    code: "USAGE",
    message: `cox task ${verb} does not take a document or task as an argument: ${quote(word, 100)}`,
    hint: `Use --document: cox task ${verb} --document ${quote(word.includes(".md") ? word : "/path.md#slug", 100)}`,
  };
}

/** The coordinator's list, unless a document is named. The task is named in the document's address or by `--task`. */
function addressOf({
  values,
}: CommandContext): { readonly address: Address } | { readonly problem: Problem } {
  const given = values.one("document");
  const task = values.one("task");
  if (given === undefined) return withTask({ path: activeList }, task);
  const plain = readAddress(given);
  const isList = "address" in plain && plain.address.path === activeList;
  const read = isList ? plain : subagentDocument(given);
  return "problem" in read ? read : withTask(read.address, task);
}

function withTask(
  address: Address,
  task: string | undefined,
): { readonly address: Address } | { readonly problem: Problem } {
  if (task === undefined) return { address };
  const named = taskSlug(task, address.path);
  if ("problem" in named) return named;
  const { path, slug = named.slug } = address;
  if (slug === named.slug) return { address: { path, slug } };
  const message = `--document names the task ${quote(slug, 60)}, but --task names ${quote(named.slug, 60)}`;
  return { problem: { code: "USAGE", message, hint: "Name it once." } };
}

/** `-` means stdin. */
async function textOf(
  { stdin, signal }: CommandContext,
  given: string,
  what: "content" | "note",
): Promise<string | Problem> {
  if (given !== "-") return given;
  const input = await readInput("-", stdin, signal, { what, hint: `Give the ${what} on stdin.` });
  return "problem" in input ? input.problem : decodeUtf8(input.bytes).trimEnd();
}

/** Asks about secrets as for any file, because what is written here is kept and often committed. */
async function whySecretNotAllowed(door: CommandContext, text: string): Promise<Problem | undefined> {
  const secret = secretContent("", text);
  if (!secret || door.values.has("yes")) return undefined;
  const shown = problemsText([secret], "warning", door.terminal.noticePaint);
  const answer = await yesOrNo(door, { question: "Write it anyway?", shown });
  door.signal.throwIfAborted();
  if (answer === "yes") return undefined;
  if (answer === "no") return declined;
  const hint = "Say where the secret is kept, not what it is; if it is a made-up value: --yes";
  return { ...secret, hint };
}

const declined: Problem = {
  code: "DECLINED",
  message: "you did not confirm writing what looks like a secret; nothing was changed",
  hint: "Say where the secret is kept, not what it is.",
};

function withFields({ values }: CommandContext, content: string): string {
  const fields = [
    ["Main-Workflow", values.one("main-workflow")],
    ["Workflow", values.one("workflow")],
  ].flatMap(([key, value]) => (value === undefined ? [] : [`- ${key}: ${value}`]));
  if (fields.length === 0 || content === "") return [...fields, content].join("\n");
  return `${fields.join("\n")}\n${/^[-*+] /.test(content) ? "" : "\n"}${content}`;
}

function tell({ terminal }: CommandContext, { data, text }: CommandAnswer): ExitCode {
  if (terminal.json) terminal.print(jsonText({ ok: true, ...data }));
  else terminal.print(text(terminal));
  return exit.done;
}

/** Drops the operation's index and the field: at a terminal nobody wrote operations, so these would mean nothing. */
function asTyped({ index: _, field: __, ...problem }: Problem): Problem {
  return problem;
}

/** An untrusted command or a secret waits for a person; a typing mistake is a usage error. */
function codeOf(problems: readonly Problem[]): ExitCode {
  if (problems.some(({ code }) => code === "VERIFY_UNTRUSTED" || code === "CONTENT_SECRET"))
    return exit.waiting;
  return problems.every(({ code }) => code === "USAGE") ? exit.usage : exit.refused;
}

function unknownVerb(verb: string): Problem {
  const names = Object.keys(acts);
  const near = closestName(verb, names);
  const message = `cox task has no ${quote(verb, 40)}`;
  const hint =
    near === undefined ? `Type one of: cox task ${names.join(" | ")}` : `Did you mean: cox task ${near}?`;
  return { code: "USAGE", message, hint };
}

const noTitle: Problem = {
  code: "USAGE",
  message: "the task has no title",
  hint: 'Type for example: cox task add "Write the parser" --content "Read tokens, build the tree."',
};

const slugInAdd: Problem = {
  code: "USAGE",
  message: "a new task has no slug yet: it is made from its title",
  hint: "Name the document alone: --document /api/auth.md",
};

function inOrder(slug: string): Problem {
  const message = `Coordinator tasks are sequential; ${quote(slug, 60)} cannot be started out of order`;
  return {
    code: "COORDINATOR_SEQUENTIAL",
    message,
    hint: "Type: cox task start – or move it up in the list.",
  };
}

function whichTask(path: string): Problem {
  const message = `which task of ${quote(path, 200)}?`;
  const hint = `Name it: --document ${addressText({ path: path as Address["path"], slug: "SLUG" })}`;
  return { code: "USAGE", message, hint };
}
