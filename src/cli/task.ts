/**
 * `cox task`: the tasks of the coordinator's list, or of a document, from the shell: for people, and for agents without
 * MCP. The rules are those of the tools.
 */

import { type Address, activeList, addressText, readAddress } from "../document/address.ts";
import { insideTurn } from "../runtime/agents-decide-nothing.ts";
import { runsRoot } from "../runtime/runs-root.ts";
import { closestName } from "../std/closest-name.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { addNote } from "../task/add-note.ts";
import { completeCoordinatorTask } from "../task/complete-coordinator-task.ts";
import { completeTask } from "../task/complete-task.ts";
import { coordinatorTasks } from "../task/coordinator-tasks.ts";
import { taskSlug } from "../task/one-task.ts";
import { startCoordinatorTask } from "../task/start-coordinator-task.ts";
import { startTask } from "../task/start-task.ts";
import { subagentDocument } from "../task/subagent-address.ts";
import { subagentTasks } from "../task/subagent-tasks.ts";
import { type Refused, refused, type TaskRoom } from "../task/task-room.ts";
import { jsonText } from "../view/json-text.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { readInput } from "./input.ts";
import type { TaskMeans } from "./task-means.ts";
import { tellProblems } from "./tell-problems.ts";
import { type Told, toldCompletion, toldList, toldNote, toldOperations, toldStart } from "./told.ts";

export async function task(door: Door, means: TaskMeans): Promise<ExitCode> {
  const [verb = "list", ...words] = door.words;
  const act = acts[verb];
  if (!act) return tellProblems(door, "task", [unknownVerb(verb)], exit.usage);
  const [word] = words;
  if (word !== undefined && isAddressed(verb, word))
    return tellProblems(door, "task", [namedByOption(verb, word)], exit.usage);
  const refusal = verb === "list" ? undefined : insideTurn(means);
  if (refusal) return tellProblems(door, "task", [refusal], exit.refused);
  const where = addressOf(door);
  if ("problem" in where) return tellProblems(door, "task", [where.problem], exit.usage);
  const opened = means.open(runsRoot(door.files, door.values.one("root")));
  const author = { name: means.user, door: "terminal" } as const;
  try {
    const room: TaskRoom = { ...opened, author, signal: door.signal };
    const told = await act({ door, room, words, ...where.address });
    if (!("problems" in told)) return tell(door, told);
    return tellProblems(door, "task", told.problems.map(asTyped), codeOf(told.problems));
  } finally {
    await opened.store.close();
  }
}

interface Act extends Address {
  readonly door: Door;
  readonly room: TaskRoom;
  readonly words: readonly string[];
}

const acts: Readonly<Record<string, (act: Act) => Promise<Told | Refused>>> = {
  async list({ room, path }) {
    const list = { operation: "list" } as const;
    const listed =
      path === activeList
        ? await coordinatorTasks(room, [list])
        : await subagentTasks(room, { document: path, operations: [list] });
    return "problems" in listed ? listed : toldList(listed);
  },
  async add({ door, room, words, path, slug }) {
    const [title = ""] = words;
    if (title === "" || slug !== undefined) return refused(title === "" ? noTitle : slugInAdd);
    const content = await textOf(door, door.values.one("content") ?? "", "content");
    if (typeof content !== "string") return refused(content);
    const create = { operation: "create", title, content: withFields(door, content) } as const;
    const added =
      path === activeList
        ? await coordinatorTasks(room, [create])
        : await subagentTasks(room, { document: path, operations: [create] });
    return "problems" in added ? added : toldOperations(added);
  },
  async start({ door, room, path, slug }) {
    const takeOver = door.values.has("take-over");
    if (path === activeList) {
      if (slug !== undefined) return refused(inOrder(slug));
      const started = await startCoordinatorTask(room, { takeOver });
      return "problems" in started ? started : toldStart(started, started.mainWorkflow);
    }
    if (slug === undefined) return refused(whichTask(path));
    const started = await startTask(room, { address: { path, slug }, takeOver });
    return "problems" in started ? started : toldStart(started);
  },
  async done({ door, room, words, path, slug }) {
    const note = await textOf(door, door.values.one("note") ?? words[0] ?? "", "note");
    if (typeof note !== "string") return refused(note);
    if (path === activeList) {
      const done = await completeCoordinatorTask(room, { note, task: slug });
      return "problems" in done ? done : toldCompletion(done);
    }
    if (slug === undefined) return refused(whichTask(path));
    const done = await completeTask(room, { address: { path, slug }, note });
    return "problems" in done ? done : toldCompletion(done);
  },
  async note({ door, room, words, path, slug }) {
    const note = await textOf(door, door.values.one("note") ?? words[0] ?? "", "note");
    if (typeof note !== "string") return refused(note);
    if (slug === undefined && path !== activeList) return refused(whichTask(path));
    const noted = await addNote(room, { path, slug, note });
    return "problems" in noted ? noted : toldNote(noted);
  },
};

/** Whether a word is no title or note, but was to say which task: that would go to another one. */
function isAddressed(verb: string, word: string): boolean {
  if (verb === "list" || verb === "start") return true;
  return verb !== "add" && /^\/\S+\.md(?:#\S*)?$/.test(word);
}

function namedByOption(verb: string, word: string): Problem {
  return {
    code: "USAGE",
    message: `cox task ${verb} takes no document or task as a word: ${quote(word, 100)}`,
    hint: `Name it by --document: cox task ${verb} --document ${quote(word.includes(".md") ? word : "/path.md#slug", 100)}`,
  };
}

/** The coordinator's list, unless a document is named; its task may be named in either of two ways. */
function addressOf({ values }: Door): { readonly address: Address } | { readonly problem: Problem } {
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
  const message = `--document names the task ${quote(slug, 60)}, and --task names ${quote(named.slug, 60)}`;
  return { problem: { code: "USAGE", message, hint: "Name it once." } };
}

/** `-` is stdin. */
async function textOf(
  { stdin, signal }: Door,
  given: string,
  what: "content" | "note",
): Promise<string | Problem> {
  if (given !== "-") return given;
  const input = await readInput("-", stdin, signal, { what, hint: `Give the ${what} on stdin.` });
  return "problem" in input ? input.problem : decodeUtf8(input.bytes).trimEnd();
}

function withFields({ values }: Door, content: string): string {
  const fields = [
    ["Main-Workflow", values.one("main-workflow")],
    ["Workflow", values.one("workflow")],
  ].flatMap(([key, value]) => (value === undefined ? [] : [`- ${key}: ${value}`]));
  if (fields.length === 0 || content === "") return [...fields, content].join("\n");
  return `${fields.join("\n")}\n${/^[-*+] /.test(content) ? "" : "\n"}${content}`;
}

function tell({ terminal }: Door, { data, text }: Told): ExitCode {
  if (terminal.json) terminal.print(jsonText({ ok: true, ...data }));
  else terminal.print(text(terminal));
  return exit.done;
}

/** At a terminal nobody wrote operations: which one of them, and which argument, says nothing. */
function asTyped({ index: _, field: __, ...problem }: Problem): Problem {
  return problem;
}

/** A command that nobody trusts yet waits for a person; what was typed wrong is usage. */
function codeOf(problems: readonly Problem[]): ExitCode {
  if (problems.some(({ code }) => code === "VERIFY_UNTRUSTED")) return exit.waiting;
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
