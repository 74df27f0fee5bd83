/**
 * Names every adapter and composes: reads the command line, loads the one command that was asked for, and turns
 * whatever happens into words and an exit code.
 */
import type { Command } from "./cli/command.ts";
import { readCommandLine } from "./cli/command-line.ts";
import { commandHelp, helpText } from "./cli/commands.ts";
import type { Door, RunCommand } from "./cli/door.ts";
import { type ExitCode, exit } from "./cli/exit.ts";
import { type Failure, failureOf } from "./cli/failure.ts";
import { watchInterrupts } from "./cli/interrupts.ts";
import { findPerson } from "./cli/person.ts";
import type { LogMeans, RunMeans } from "./cli/run-means.ts";
import { openTerminal, type Terminal } from "./cli/terminal.ts";
import type { Asked } from "./runtime/agents-decide-nothing.ts";
import { assert } from "./std/assert.ts";
import { oneLine } from "./std/printable.ts";
import type { Problem } from "./std/problem.ts";
import { failureDocument } from "./view/document.ts";
import { problemsText } from "./view/problems.ts";
import { openFiles } from "./world/choose-files.ts";
import { nodeChance } from "./world/node-chance.ts";
import { nodeClock } from "./world/node-clock.ts";

/** `argv` is what was typed behind `cox`. Answers with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  const streams = { stdout, stderr, env };
  const terminal = openTerminal(streams, {
    json: argv.includes("--json"),
    noColor: argv.includes("--no-color"),
  });

  const reading = await readCommandLine(argv);
  if ("problems" in reading) return fail(terminal, argv[0], reading.problems, exit.usage);
  const { command, words, values } = reading.line;

  const crash = (thrown: unknown) => crashed(terminal, command, failureOf(thrown), values.has("debug"));
  process.on("uncaughtException", (error) => process.exit(crash(error)));
  try {
    if (values.has("help") || !command) return help(terminal, command);
    const gone = enter(values.one("directory"));
    if (gone) return fail(terminal, command.name, [gone], exit.usage);
    const run = await load(command);
    const { signal, takeOver: takeOverInterrupts } = watchInterrupts(terminal);
    const world = { files: openFiles(), clock: nodeClock, chance: nodeChance, stdin };
    const person = { findPerson: () => findPerson(streams) };
    return await run({ ...world, words, values, terminal, signal, takeOverInterrupts, ...person });
  } catch (error) {
    return crash(error);
  }
}

/** Each command is loaded when it is asked for, so that none pays for what another needs. */
const loaders: Readonly<Record<string, () => Promise<RunCommand>>> = {
  apply: () => knowingTurn(async () => (await import("./cli/apply.ts")).apply),
  undo: async () => {
    const { undo } = await import("./cli/undo.ts");
    return byUser(undo);
  },
  check: async () => {
    const { check } = await import("./cli/check.ts");
    const { driverNames: drivers } = await import("./driver/clients.ts");
    const { packageRoot } = await import("./world/package-root.ts");
    const { composeRepositoryLook } = await import("./compose-runs.ts");
    const repositoryProblem = composeRepositoryLook(process.env);
    return (door) => check(door, { packageRoot: packageRoot(), drivers, repositoryProblem });
  },
  schema: async () => (await import("./cli/schema.ts")).schema,
  doctor: async () => {
    const { doctor } = await import("./cli/doctor.ts");
    const { nodeMachine: machine } = await import("./world/machine.ts");
    const { composeAgents, composeRepositoryLook } = await import("./compose-runs.ts");
    const repositoryProblem = composeRepositoryLook(process.env);
    return (door) => doctor(door, { machine, agents: composeAgents(process.env), repositoryProblem });
  },
  agents: async () => {
    const [{ agents }, { composeAgents }] = await Promise.all([
      import("./cli/agents.ts"),
      import("./compose-runs.ts"),
    ]);
    return (door) => agents(door, composeAgents(process.env));
  },
  run: () => forRuns(async () => (await import("./cli/run.ts")).run),
  resume: () => forRuns(async () => (await import("./cli/resume.ts")).resume),
  pause: () => forRuns(async () => (await import("./cli/pause.ts")).pause),
  stop: () => forRuns(async () => (await import("./cli/stop.ts")).stop),
  answer: () => forRuns(async () => (await import("./cli/answer.ts")).answer),
  confirm: () => forRuns(async () => (await import("./cli/confirm-question.ts")).confirmQuestion),
  deny: () => forRuns(async () => (await import("./cli/confirm-question.ts")).denyQuestion),
  retry: () => forRuns(async () => (await import("./cli/retry.ts")).retry),
  rollback: () => forRuns(async () => (await import("./cli/rollback.ts")).rollback),
  land: () => forRuns(async () => (await import("./cli/land.ts")).land),
  gc: () => forRuns(async () => (await import("./cli/gc.ts")).gc),
  stats: async () => (await import("./cli/stats.ts")).stats,
  demo: async () => {
    const { demo } = await import("./cli/demo.ts");
    const { packageRoot } = await import("./world/package-root.ts");
    return (door) => demo(door, { packageRoot: packageRoot() });
  },
  status: async () => (await import("./cli/status.ts")).status,
  log: async () => {
    const { log } = await import("./cli/log.ts");
    return byUser(log);
  },
  why: async () => (await import("./cli/why.ts")).why,
  transcript: async () => (await import("./cli/transcript.ts")).transcript,
  questions: async () => (await import("./cli/questions.ts")).questions,
  diff: () => forRuns(async () => (await import("./cli/diff.ts")).diff),
  approve: () => forRuns(async () => (await import("./cli/approve-plan.ts")).approvePlan),
  task: async () => {
    const [{ task }, { openDocuments }] = await Promise.all([
      import("./cli/task.ts"),
      import("./compose-documents.ts"),
    ]);
    const { turnAround } = await import("./world/turn-around.ts");
    const { userInfo } = await import("node:os");
    const { env, argv } = process;
    const means = { user: userInfo().username, turnAround: turnAround(env), typed: argv.slice(2) };
    return (door) => task(door, { ...means, open: (root) => openDocuments(env, root) });
  },
  mcp: async () => {
    const [{ mcp }, { composeMcp }] = await Promise.all([import("./cli/mcp.ts"), import("./compose-mcp.ts")]);
    return (door) => mcp(door, composeMcp(process.env));
  },
  "turn-server": async () => {
    const { turnServer } = await import("./cli/turn-server.ts");
    const { packageVersion } = await import("./world/package-root.ts");
    const { env: environment, stdout } = process;
    const means = { environment, version: packageVersion(), stdout, elapsedMs: () => performance.now() };
    return (door) => turnServer(door, means);
  },
  "model-server": async () => {
    const { modelServer } = await import("./cli/model-server.ts");
    const { nodeLoopbackServers: servers } = await import("./world/node-loopback-server.ts");
    const { nodeLineFiles: lineFiles } = await import("./world/node-line-file.ts");
    return (door) => modelServer(door, { servers, lineFiles });
  },
  init: () => forRuns(async () => (await import("./cli/init.ts")).init),
  workflows: async () => {
    const { workflows } = await import("./cli/workflows.ts");
    const { packageRoot } = await import("./world/package-root.ts");
    return (door) => workflows(door, { packageRoot: packageRoot() });
  },
  hook: async () => {
    const { hook } = await import("./cli/hook.ts");
    const { packageRoot } = await import("./world/package-root.ts");
    const { turnAround } = await import("./world/turn-around.ts");
    const { CLAUDE_PROJECT_DIR: project } = process.env;
    const isInsideTurn = turnAround(process.env) !== undefined;
    return (door) => hook(door, { packageRoot: packageRoot(), project, isInsideTurn });
  },
};

/** A command that an agent must not use in its turn is told whether it is in one. */
async function knowingTurn(
  load: () => Promise<(door: Door, asked: Asked) => Promise<ExitCode>>,
): Promise<RunCommand> {
  const [command, { turnAround }] = await Promise.all([load(), import("./world/turn-around.ts")]);
  return (door) => command(door, { turnAround: turnAround(process.env), typed: process.argv.slice(2) });
}

/** What a command records, it records in the name of whoever typed it. */
async function byUser(command: (door: Door, means: LogMeans) => Promise<ExitCode>): Promise<RunCommand> {
  const { userInfo } = await import("node:os");
  return knowingTurn(async () => (door, asked) => command(door, { ...asked, user: userInfo().username }));
}

/** A command about runs is handed the means for them. */
async function forRuns(
  load: () => Promise<(door: Door, means: RunMeans) => Promise<ExitCode>>,
): Promise<RunCommand> {
  const [command, { composeRuns }] = await Promise.all([load(), import("./compose-runs.ts")]);
  return (door) => command(door, composeRuns(process.env));
}

function load({ name }: Command): Promise<RunCommand> {
  const loader = loaders[name];
  assert(loader, `the command ${name} can be loaded`);
  return loader();
}

function help(terminal: Terminal, command: Command | undefined): ExitCode {
  terminal.print((command && commandHelp(command.name)) ?? helpText());
  return exit.done;
}

/** Goes to the folder given with -C. */
function enter(folder: string | undefined): Problem | undefined {
  if (folder === undefined) return undefined;
  try {
    process.chdir(folder);
    return undefined;
  } catch (error) {
    const why = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    return {
      code: "USAGE",
      path: folder,
      message: `cannot start in ${oneLine(folder)}${why}`,
      hint: "Name a folder that is there: -C DIR",
    };
  }
}

function fail(
  terminal: Terminal,
  command: string | undefined,
  problems: readonly Problem[],
  code: ExitCode,
): ExitCode {
  if (terminal.json) terminal.print(`${JSON.stringify(failureDocument(command, problems))}\n`);
  else terminal.notice(problemsText(problems, "error", terminal.noticePaint));
  return code;
}

function crashed(
  terminal: Terminal,
  command: Command | undefined,
  failure: Failure,
  debug: boolean,
): ExitCode {
  if (debug && failure.stack) terminal.notice(`${failure.stack}\n`);
  return fail(terminal, command?.name, [failure.problem], failure.exit);
}
