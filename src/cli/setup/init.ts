/**
 * `cox init`: looks at the repository, shows what it found and every file it would write, and writes them after a yes.
 * It never touches an existing file, even one created between the look and the yes. The exception is `.mcp.json`, which
 * gets one entry on request.
 */

import { configPath, loadConfig } from "../../config/file/load-config.ts";
import { type InitProposal, initReads, proposeInit } from "../../config/init/init.ts";
import { abilitiesOf } from "../../driver/abilities-of.ts";
import type { Drivers } from "../../driver/drivers.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { type InitFacts, initDocument, initDoneText, initPlanText } from "../../view/approval/init.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { Files } from "../../world/files/files.ts";
import { newFileMode } from "../../world/files/new-file-mode.ts";
import { Tree } from "../../world/folders/tree.ts";
import { TreeError } from "../../world/folders/tree-error.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { type YesOrNo, yesOrNo } from "../terminal/yes-or-no.ts";
import { type InstalledAgent, installedAgents, signInWords } from "./agent-programs.ts";
import { type McpSetUp, type McpSetUpChoice, setUpMcp } from "./set-up-mcp.ts";

export async function init(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const { terminal, files } = door;
  const refusal = insideTurn(ports);
  if (refusal) return tellProblems(door, "init", [refusal], exit.refused);
  const opened = await ports.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return tellProblems(door, "init", [opened.problem], exit.notReady);
  const { root } = opened.world.repository;
  const proposal = propose(door, ports, root);
  const programs = installedAgents({ ...ports, files }).map((one) => programOf(one, opened.world.drivers));
  if (!terminal.json) terminal.print(initPlanText({ root, ...proposal, programs }, terminal.paint));

  const answer = proposal.write.length === 0 ? "yes" : await ask(door);
  if (answer !== "yes") return notWritten(door, { root, proposal, programs, answer });
  const written = write(files, root, proposal);
  const mcp = await setUpMcp(door, root, mcpChoice(door));
  const facts: InitFacts = {
    root,
    ...proposal,
    programs,
    written,
    mcp: mcp.is,
    agents: [...loadConfig(files, { root }).config.agents.keys()],
    plan: door.values.has("plan") || hasPlan(files, root) ? "plan.md" : undefined,
  };
  return ended(door, facts, mcp);
}

function programOf(found: InstalledAgent, drivers: Drivers): InitFacts["programs"][number] {
  const { driver: name, title, version } = found;
  const driver = drivers.find(name);
  return { driver: name, title, version, signedIn: signInWords(found), can: driver && abilitiesOf(driver) };
}

/** An entry that was requested by option but not written needs a person. An offer that came to nothing is not a failure. */
function ended(door: CommandContext, facts: InitFacts, { problem }: McpSetUp): ExitCode {
  const { terminal } = door;
  const isMissed = problem !== undefined && mcpChoice(door) === "yes";
  if (terminal.json) terminal.print(jsonText(initDocument(facts, isMissed ? problem : undefined)));
  else {
    if (problem) terminal.notice(problemsText([problem], "warning", terminal.noticePaint));
    terminal.print(initDoneText(facts, terminal.paint));
  }
  return isMissed ? exit.waiting : exit.done;
}

function mcpChoice({ values }: CommandContext): McpSetUpChoice {
  if (values.has("no-mcp")) return "no";
  return values.has("mcp") ? "yes" : "ask";
}

function propose(door: CommandContext, ports: RunPorts, root: string): InitProposal {
  const template = door.values.one("plan");
  const plan =
    template === undefined
      ? undefined
      : readText(door.files, { root: ports.packageRoot, path: `templates/${template}.md` });
  const seen = lookAt(door.files, root);
  const proposal = proposeInit({ seen, ...(plan === undefined ? {} : { plan }) });
  const said = loadConfig(door.files, { root }).config.settings.verify;
  // The configuration takes precedence.
  if (said === undefined) return proposal;
  return {
    ...proposal,
    found: { ...proposal.found, verify: { command: said.join("; "), from: configPath } },
  };
}

/** A file that tells us something is short. A longer one only counts as being there. */
const bytesMax = 1024 * 1024;

/** A path that exists but cannot be read, or is not a file, still counts as being there. */
function lookAt(files: Files, root: string): Map<string, string> {
  const tree = Tree.open(files, root);
  try {
    const seen = new Map<string, string>();
    for (const path of initReads) if (tree.stat(path)) seen.set(path, textIn(tree, path) ?? "");
    return seen;
  } finally {
    tree.close();
  }
}

function hasPlan(files: Files, root: string): boolean {
  return readText(files, { root, path: "plan.md" }) !== undefined;
}

function readText(files: Files, { root, path }: { root: string; path: string }): string | undefined {
  const tree = Tree.open(files, root);
  try {
    return textIn(tree, path);
  } finally {
    tree.close();
  }
}

function textIn(tree: Tree, path: string): string | undefined {
  try {
    const read = tree.read(path, bytesMax);
    return read && decodeUtf8(read.bytes);
  } catch (error) {
    if (error instanceof TreeError) return undefined;
    throw error;
  }
}

async function ask(door: CommandContext): Promise<YesOrNo> {
  if (door.values.has("yes")) return "yes";
  const answer = await yesOrNo(door, { question: "Write it?" });
  door.signal.throwIfAborted();
  return answer;
}

interface NotWritten {
  readonly root: string;
  readonly proposal: InitProposal;
  readonly programs: InitFacts["programs"];
  readonly answer: "no" | "nobody";
}

function notWritten(door: CommandContext, { root, proposal, programs, answer }: NotWritten): ExitCode {
  const { terminal, values } = door;
  const plan = values.one("plan");
  const problem: Problem =
    answer === "no"
      ? { code: "DECLINED", message: "nothing was written", hint: "To set it up later: cox init" }
      : {
          code: "NEEDS_YES",
          message: "nothing was written: there is no terminal to ask in",
          hint: `Write what is shown: cox init${plan === undefined ? "" : ` --plan ${oneLine(plan)}`}${values.has("mcp") ? " --mcp" : ""} --yes`,
        };
  const code = answer === "no" ? exit.refused : exit.waiting;
  if (!terminal.json) return tellProblems(door, "init", [problem], code);
  const facts = { root, ...proposal, programs, written: [], mcp: null, agents: [], plan: undefined };
  terminal.print(jsonText(initDocument(facts, problem)));
  return code;
}

/** Returns the files that were written. A name that somebody else created meanwhile is left alone. */
function write(files: Files, root: string, { write: wanted }: InitProposal): string[] {
  const tree = Tree.open(files, root);
  try {
    return wanted.filter(({ path, text }) => create(tree, path, encodeUtf8(text))).map(({ path }) => path);
  } finally {
    tree.close();
  }
}

function create(tree: Tree, path: string, bytes: Uint8Array): boolean {
  const { files } = tree;
  const cut = path.lastIndexOf("/");
  if (cut !== -1) tree.make(path.slice(0, cut));
  const isCreated = tree.withParent(path, ({ folder, name }) => {
    try {
      const file = files.open(folder, name, "create");
      try {
        files.chmod(file, newFileMode());
        files.write(file, bytes);
        files.sync(file);
      } finally {
        files.close(file);
      }
      files.sync(folder);
      return true;
    } catch (error) {
      if (errnoOf(error) === "EEXIST") return false;
      throw error;
    }
  });
  return isCreated ?? false;
}
