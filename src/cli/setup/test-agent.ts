/**
 * `cox agents test NAME`: runs one turn of an agent that may not write anything, in an empty folder, with a time limit.
 * NAME is an agent of the configuration, or a driver whose program is installed.
 */
import { join } from "node:path";
import type { CrewAgent } from "../../config/crew/crew.ts";
import type { Driver, TurnOutcome } from "../../driver/driver.ts";
import { spentOf } from "../../runtime/acts/spent-of.ts";
import { Supervision } from "../../runtime/loop/supervision.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { closestName } from "../../std/closest-name.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { type AgentTest, agentTestDocument, agentTestText } from "../../view/agents/agent-test.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { TemporaryFolders } from "../../world/folders/temporary-folder.ts";
import type { EnclosingTurn } from "../../world/processes/enclosing-turn.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";
import { type AgentsPorts, knownAgents } from "./known-agents.ts";

export interface TestAgentPorts {
  readonly runClock: RunClock;
  readonly folders: TemporaryFolders;
  /** The user's own paths, which the agent must not write to. */
  readonly guarded: readonly string[];
  readonly enclosingTurn: EnclosingTurn | undefined;
  readonly typed: readonly string[];
}

interface Wanted {
  readonly name: string;
  readonly root: string;
}

const timeoutDefault = 120;

export async function testAgent(
  door: CommandContext,
  { name, root }: Wanted,
  ports: AgentsPorts & TestAgentPorts,
): Promise<ExitCode> {
  const refusal = insideTurn(ports);
  if (refusal) return tellProblems(door, "agents", [refusal], exit.refused);
  const seconds = Number(door.values.one("timeout") ?? timeoutDefault);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3600)
    return tellProblems(door, "agents", [badTimeout(door.values.one("timeout") ?? "")], exit.usage);
  const { agents } = knownAgents(door.files, root, ports);
  const all = new Map(agents.map(({ agent }) => [agent.name, agent]));
  const agent = all.get(name) ?? plainAgent(name, ports);
  if (!agent) return tellProblems(door, "agents", [unknown(name, [...all.keys()], ports)], exit.refused);
  const driver = ports.drivers.findFor(agent);
  if (!driver) return tellProblems(door, "agents", [noDriver(agent, ports)], exit.refused);
  const consent = await mayStart(door, agent);
  if (consent) return consent;
  const test = await turnOf({ door, agent, driver, timeoutMs: seconds * 1000, ports });
  const { terminal } = door;
  terminal.print(terminal.json ? jsonText(agentTestDocument(test)) : agentTestText(test, terminal.paint));
  return exitOf(test);
}

/** A driver's name stands for an unconfigured agent with that driver. */
function plainAgent(name: string, { drivers }: AgentsPorts): CrewAgent | undefined {
  if (name === "command" || name === "scripted" || !drivers.find(name)) return undefined;
  return { name, driver: name, role: "auditor", instructions: "" };
}

/** A command in the configuration was chosen by the repository, not by the user, so it is shown before it runs. */
async function mayStart(
  door: CommandContext,
  { name, command, args }: CrewAgent,
): Promise<ExitCode | undefined> {
  const words = [...(command ?? []), ...(args ?? [])];
  if (words.length === 0 || door.values.has("yes")) return undefined;
  const shown = words.map((word) => quote(word, 200)).join(" ");
  const answer = await yesOrNo(door, {
    question: "Start it?",
    shown: `The agent ${oneLine(name)} is started with: ${shown}\n`,
  });
  door.signal.throwIfAborted();
  if (answer === "yes") return undefined;
  const problem: Problem = {
    code: answer === "no" ? "DECLINED" : "NEEDS_YES",
    message: `nothing was started: this agent's command line comes from the configuration (${oneLine(shown, 300)})`,
    hint: `Look at them, then: cox agents test ${oneLine(name)} --yes`,
  };
  return tellProblems(door, "agents", [problem], answer === "no" ? exit.refused : exit.waiting);
}

interface Trial {
  readonly door: CommandContext;
  readonly agent: CrewAgent;
  readonly driver: Driver;
  readonly timeoutMs: number;
  readonly ports: AgentsPorts & TestAgentPorts;
}

async function turnOf({ door, agent, driver, timeoutMs, ports }: Trial): Promise<AgentTest> {
  const folder = ports.folders.make();
  try {
    const [desk, scratch] = [join(folder.path, "desk"), join(folder.path, "scratch")];
    const above = door.files.openRoot(folder.path);
    for (const made of ["desk", "scratch"]) door.files.makeFolder(above, made);
    door.files.close(above);
    const limits = { wallMs: timeoutMs, stallMs: timeoutMs };
    const supervision = new Supervision(ports.runClock, limits, () => handle.cancel());
    const handle = driver.start({
      ...{ turn: "test.1.1", run: "test", task: "test", attempt: 1, agent: agent.name },
      // An auditor has no tool that writes, and no desk to write to.
      ...{ role: "auditor", mode: driver.modes.at(-1) ?? "desk", fence: "cox-test" },
      ...{ prompt, desk, scratch, readOnly: ports.guarded, settings: agent },
    });
    const stop = () => handle.cancel();
    door.signal.addEventListener("abort", stop);
    const outcome = await handle.outcome;
    door.signal.removeEventListener("abort", stop);
    supervision.end();
    door.signal.throwIfAborted();
    return testOf({
      agent,
      outcome,
      isLate: supervision.exceeded !== undefined,
      ms: supervision.elapsedMs,
      timeoutMs,
    });
  } finally {
    folder.remove();
  }
}

const prompt =
  "This is a test of whether you can be reached. Use no tool. Answer with the word ready and nothing else.\n";

const notAsAsked =
  "It was asked for one word and no tool use: it can be reached, but its model does not follow instructions; try another one. A script for cox model-server must end with a text step, because its last step is repeated.";

interface Tested {
  readonly agent: CrewAgent;
  readonly outcome: TurnOutcome;
  readonly isLate: boolean;
  readonly ms: number;
  readonly timeoutMs: number;
}

function testOf({ agent, outcome, isLate, ms, timeoutMs }: Tested): AgentTest {
  const { ended, usage, session, lastLine } = outcome;
  const reply = oneLine(decodeUtf8(outcome.reply).trim(), 200);
  const spent = spentOf({ ms, usage, prices: agent.prices });
  const report = { agent: agent.name, driver: agent.driver, reply, session, spent };
  if (ended.kind === "replied") return { ...report, failure: undefined };
  if (ended.kind === "failed") {
    const { code, message, resetsAt } = ended;
    const words = code === "AGENT_LIMIT" ? `${message} ${notAsAsked}` : message;
    return { ...report, failure: { code, message: words, ...(resetsAt !== undefined && { resetsAt }) } };
  }
  const last = lastLine === "" ? "it said nothing" : `its last line was: "${lastLine}"`;
  const late = `it did not answer within ${timeoutMs / 1000} s; ${last}`;
  return {
    ...report,
    failure: { code: isLate ? "AGENT_STALLED" : "AGENT_ENDED", message: isLate ? late : "it was ended" },
  };
}

/** Distinguishes what a person must fix on this machine from a model that fails. */
function exitOf({ failure }: AgentTest): ExitCode {
  if (!failure) return exit.done;
  const isMachine = ["AGENT_NOT_INSTALLED", "AGENT_NOT_SIGNED_IN", "AGENT_SPAWN"].includes(failure.code);
  return isMachine ? exit.notReady : exit.refused;
}

function unknown(name: string, names: readonly string[], { drivers }: AgentsPorts): Problem {
  const all = [...names, ...drivers.names.filter((one) => one !== "command" && one !== "scripted")];
  const near = closestName(name, all);
  return {
    code: "AGENT_UNKNOWN",
    message: `there is no agent ${quote(name, 60)} in the configuration, and no driver with that name`,
    hint: near ? `Did you mean ${near}?` : `There are: ${all.slice(0, 20).join(", ")}`,
  };
}

function noDriver({ name, driver }: CrewAgent, { drivers }: AgentsPorts): Problem {
  return {
    code: "DRIVER_UNKNOWN",
    message: `the agent ${oneLine(name, 60)} has the driver ${quote(driver, 60)}, which does not exist`,
    hint: `The drivers are: ${drivers.names.join(", ")}.`,
  };
}

function badTimeout(said: string): Problem {
  return {
    code: "USAGE",
    message: `--timeout is a whole number of seconds from 1 to 3600, not ${quote(said, 40)}`,
    hint: "Write for example: --timeout 60",
  };
}
