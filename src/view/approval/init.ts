/** What `cox init` found, would write, has written, and what to type next. */
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { canText } from "../agents/agents-text.ts";
import { named } from "../status/task-words.ts";
import { problemDocument } from "../text/document.ts";
import type { Paint } from "../text/paint.ts";

export interface InitPlan {
  readonly root: string;
  readonly write: readonly { readonly path: string; readonly text: string }[];
  /** Existing files, left as they are. */
  readonly kept: readonly string[];
  readonly found: { readonly verify?: Guess; readonly setup?: Guess };
  /** Installed agent programs that we can drive. */
  readonly programs: readonly AgentProgram[];
}

interface AgentProgram {
  readonly driver: string;
  readonly title: string;
  readonly version: string;
  /** In words, as far as it can be seen. */
  readonly signedIn?: string;
  /** By name: yes, no or unknown. */
  readonly can?: Readonly<Record<string, string>> | undefined;
}

interface Guess {
  readonly command: string;
  /** The file that the guess is based on. */
  readonly from: string;
}

export interface InitFacts extends InitPlan {
  readonly written: readonly string[];
  /** What happened to our server in `.mcp.json`; null if it did not get that far. */
  readonly mcp: "there" | "added" | "replaced" | "declined" | "not-asked" | "left" | null;
  /** The configured agents. */
  readonly agents: readonly string[];
  /** An existing plan that can be run. */
  readonly plan: string | undefined;
}

export function initPlanText({ root, write, kept, found, programs }: InitPlan, paint: Paint): string {
  const width = Math.max(0, ...write.map(({ path }) => path.length));
  const rows = [
    ["Tests", guessWords(found.verify, "none found: write yours as verify: in .coxswain/config.yaml")],
    ...(found.setup ? [["Setup", guessWords(found.setup, "")]] : []),
    ...programs.flatMap(({ title, version, driver, signedIn = "", can }) => [
      ["Agents", `${title} ${version}  (driver: ${driver}${signedIn === "" ? "" : `, ${signedIn}`})`],
      ...(can ? [["Agents", `  ${paint("dim", canText(can))}`]] : []),
    ]),
    ...write.map(({ path, text }) => [
      "Will write",
      `${paint("green", "+")} ${path.padEnd(width)}  ${counted(text.split("\n").length - 1, "line")}`,
    ]),
    ...kept.map((path) => ["Exists", `= ${path}  ${paint("dim", "not changed")}`]),
  ];
  const lines = rows.map(([name = "", words = ""], at) => {
    const isSame = at > 0 && rows[at - 1]?.[0] === name;
    return `  ${(isSame ? "" : name).padEnd(10)}  ${words}`;
  });
  return `${paint("bold", oneLine(root, 400))}\n${lines.join("\n")}\n`;
}

function guessWords(guess: Guess | undefined, otherwise: string): string {
  return guess ? `${oneLine(guess.command, 200)}  (from ${oneLine(guess.from, 80)})` : otherwise;
}

export function initDoneText(facts: InitFacts, paint: Paint): string {
  const { written, agents, mcp, programs } = facts;
  const done = written.length === 0 ? "nothing to write" : `wrote ${written.join(", ")}`;
  const crew = agents.length === 0 ? `\n${exampleFor(programs)}` : `  Agents: ${named(agents, 8)}\n`;
  const steps = nextSteps(facts).map(
    ({ does, command }) => `  ${does.padEnd(24)} ${paint("cyan", command)}\n`,
  );
  return `${paint("green", "✓")} ${done}\n${mcpText(mcp, paint)}${crew}\nNext\n${steps.join("")}`;
}

/** To set it up for all projects of a user, there is a command instead of this project's file. */
function mcpText(mcp: InitFacts["mcp"], paint: Paint): string {
  const everywhere = `  For all your projects: ${paint("cyan", "claude mcp add --scope user coxswain -- npx -y coxswain mcp")}\n`;
  if (mcp === "added" || mcp === "replaced") {
    const how = mcp === "added" ? "added to" : "replaced in";
    const connected = `  Your agent asks once whether you trust it: ${paint("cyan", "claude mcp list")}\n`;
    return `${paint("green", "✓")} the MCP server "coxswain" was ${how} .mcp.json  (undo: cox undo)\n${connected}${everywhere}`;
  }
  if (mcp === "there") return `  The MCP server "coxswain" is in .mcp.json already\n`;
  if (mcp !== "not-asked") return "";
  return `  MCP server for your coding agents: ${paint("cyan", "cox init --mcp")} (this project)\n${everywhere}`;
}

/** An example with the installed programs: one to do the work, and another, if there is one, to judge it. */
function exampleFor([first, second]: readonly AgentProgram[]): string {
  if (first === undefined) return agentExample;
  return `No agent is configured yet. With what is installed here, in .coxswain/config.yaml:

  agents:
    dev:    { role: developer, driver: ${first.driver} }
    tester: { profile: auditor, driver: ${(second ?? first).driver} }
  roles:
    auditor: [tester]
`;
}

/** Works as it is when copied, once `my-agent` is a program that answers. */
const agentExample = `No agent is configured yet. An agent is any program that reads its prompt on stdin, works in the folder
that it is started in, and prints its reply. For example, as tools/agent.mjs, committed:

  import { spawnSync } from "node:child_process";
  import { readFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  const { status, stdout } = spawnSync("my-agent", ["-p"], { input: prompt, encoding: "utf8" });
  process.stdout.write(stdout ?? "");
  if (status !== 0) process.exitCode = 1;

and in .coxswain/config.yaml:

  agents:
    dev:
      role: developer
      driver: command
      command: [node, tools/agent.mjs]
`;

interface Step {
  readonly does: string;
  readonly command: string;
}

function nextSteps({ agents, plan, found }: InitFacts): Step[] {
  const name = plan ?? "plan.md";
  return [
    ...(found.verify ? [] : [{ does: "Say how to test", command: "verify: … in .coxswain/config.yaml" }]),
    ...(agents.length > 0 ? [] : [{ does: "Say who works", command: "agents: in .coxswain/config.yaml" }]),
    ...(plan === undefined ? [{ does: "Begin a plan", command: "cox init --plan build" }] : []),
    { does: "See whether it can run", command: `cox check ${name}` },
    { does: "Run it", command: `cox run ${name}` },
  ];
}

export function initDocument(facts: InitFacts, problem?: Problem) {
  const { root, found, write, written, kept, mcp, agents, programs } = facts;
  return {
    ok: problem === undefined,
    root,
    verify: found.verify ?? null,
    setup: found.setup ?? null,
    would_write: write.map(({ path }) => path),
    written,
    kept,
    mcp,
    agents,
    programs,
    next: problem ? [] : nextSteps(facts),
    errors: problem ? [problemDocument(problem)] : [],
  };
}
