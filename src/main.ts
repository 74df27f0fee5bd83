/**
 * Names every adapter and composes them: reads the command line, loads the requested command, and turns every outcome
 * into a message and an exit code.
 */

import type { LogPorts, RunPorts } from "./cli/begin/run-ports.ts";
import type { CommandContext, RunCommand } from "./cli/command-context.ts";
import { type ExitCode, exit } from "./cli/exit.ts";
import { type Failure, failureOf } from "./cli/failure.ts";
import type { CommandSpec } from "./cli/table/command.ts";
import { readCommandLine } from "./cli/table/command-line.ts";
import { commandHelp, helpText } from "./cli/table/commands.ts";
import { tellProblems } from "./cli/tell-problems.ts";
import { type Interrupts, watchInterrupts } from "./cli/terminal/interrupts.ts";
import { findPerson } from "./cli/terminal/person.ts";
import { openTerminal, type Streams, type Terminal, written } from "./cli/terminal/terminal.ts";
import type { CallerContext } from "./runtime/start/inside-turn.ts";
import { assert } from "./std/assert.ts";
import { oneLine } from "./std/printable.ts";
import type { Problem } from "./std/problem.ts";
import { nodeChance } from "./world/chance.ts";
import { openFiles } from "./world/files/choose-files.ts";
import { Keyboard, type LiveView } from "./world/terminal/keyboard.ts";
import { nodeClock } from "./world/time/clock.ts";

/** `argv` is what was typed after `cox`. Returns the exit code after all output has been written. */
export async function main(argv: readonly string[]): Promise<number> {
  const { stdout, stderr, env } = process;
  const streams = { stdout, stderr, env };
  const terminal = openTerminal(streams, {
    json: argv.includes("--json"),
    noColor: argv.includes("--no-color"),
  });
  const interrupts = watchInterrupts(terminal);
  let keyboard: Keyboard | undefined;
  const findKeyboard = () => {
    keyboard ??= Keyboard.open();
    return keyboard;
  };
  const code = await runCommand(argv, { terminal, streams, interrupts, findKeyboard });
  interrupts.settle(code);
  keyboard?.leave();
  await written(streams);
  return code;
}

interface Process {
  readonly terminal: Terminal;
  readonly streams: Streams;
  readonly interrupts: Interrupts;
  findKeyboard(): Keyboard | undefined;
}

async function runCommand(
  argv: readonly string[],
  { terminal, streams, interrupts, findKeyboard }: Process,
): Promise<ExitCode> {
  const reading = await readCommandLine(argv);
  if ("problems" in reading) return tellProblems({ terminal }, argv[0], reading.problems, exit.usage);
  const { command, words, values } = reading.line;

  const crash = (thrown: unknown) => crashed(terminal, command, failureOf(thrown), values.has("debug"));
  process.on("uncaughtException", (error) => process.exit(crash(error)));
  try {
    if (values.has("help") || !command) return await help(terminal, command);
    const gone = enter(values.one("directory"));
    if (gone) return tellProblems({ terminal }, command.name, [gone], exit.usage);
    const run = await load(command);
    const { signal, takeOver: takeOverInterrupts } = interrupts;
    signal.throwIfAborted();
    const world = { files: openFiles(), clock: nodeClock, chance: nodeChance, stdin: process.stdin };
    const askable = () => {
      const keyboard = findKeyboard();
      return keyboard?.canAsk() ? keyboard : undefined;
    };
    const mayAsk = command.options.some(({ name }) => name === "no-input");
    const person = {
      findPerson() {
        assert(mayAsk, `cox ${command.name} takes --no-input, because it asks`);
        return values.has("no-input") ? undefined : findPerson(streams, askable);
      },
      ignoreKeys: (view?: LiveView) => findKeyboard()?.ignore(view) ?? (() => {}),
    };
    return await run({ ...world, words, values, terminal, signal, takeOverInterrupts, ...person });
  } catch (error) {
    return crash(error);
  }
}

/** Each command is loaded on demand, so none pays for what another needs. */
const loaders: Readonly<Record<string, () => Promise<RunCommand>>> = {
  apply: () => knowingTurn(async () => (await import("./cli/reply/apply.ts")).apply),
  undo: async () => {
    const { undo } = await import("./cli/reply/undo.ts");
    return byUser(undo);
  },
  check: async () => {
    const { check } = await import("./cli/begin/check.ts");
    const { driverNames: drivers } = await import("./driver/programs/clients.ts");
    const { packageRoot } = await import("./world/files/package-root.ts");
    const { composeRepositoryLook } = await import("./compose-runs.ts");
    const repositoryProblem = composeRepositoryLook(process.env);
    return (door) => check(door, { packageRoot: packageRoot(), drivers, repositoryProblem });
  },
  schema: async () => (await import("./cli/reply/schema.ts")).schema,
  completion: async () => (await import("./cli/completion/completion.ts")).completion,
  complete: async () => {
    const { completeCommand: complete } = await import("./cli/completion/complete.ts");
    const { driverNames: drivers } = await import("./driver/programs/clients.ts");
    const { packageRoot } = await import("./world/files/package-root.ts");
    return (door) => complete(door, { packageRoot: packageRoot(), drivers });
  },
  doctor: async () => {
    const { doctor } = await import("./cli/setup/doctor.ts");
    const { nodeMachine: machine } = await import("./world/machine.ts");
    const { composeAgents, composeRepositoryLook } = await import("./compose-runs.ts");
    const repositoryProblem = composeRepositoryLook(process.env);
    return (door) => doctor(door, { machine, agents: composeAgents(process.env), repositoryProblem });
  },
  agents: async () => {
    const [{ agents }, { composeAgents }] = await Promise.all([
      import("./cli/setup/agents.ts"),
      import("./compose-runs.ts"),
    ]);
    return (door) => agents(door, composeAgents(process.env));
  },
  run: () => forRuns(async () => (await import("./cli/begin/run.ts")).runCommand),
  resume: () => forRuns(async () => (await import("./cli/begin/resume.ts")).resume),
  pause: () => forRuns(async () => (await import("./cli/steer/pause.ts")).pauseCommand),
  stop: () => forRuns(async () => (await import("./cli/steer/stop.ts")).stop),
  answer: () => forRuns(async () => (await import("./cli/steer/answer.ts")).answer),
  confirm: () => forRuns(async () => (await import("./cli/steer/confirm-question.ts")).confirmQuestion),
  deny: () => forRuns(async () => (await import("./cli/steer/confirm-question.ts")).denyQuestion),
  retry: () => forRuns(async () => (await import("./cli/steer/retry.ts")).retry),
  rollback: () => forRuns(async () => (await import("./cli/steer/rollback.ts")).rollback),
  land: () => forRuns(async () => (await import("./cli/steer/land.ts")).landCommand),
  gc: () => forRuns(async () => (await import("./cli/setup/gc.ts")).gc),
  stats: async () => (await import("./cli/look/stats.ts")).stats,
  demo: async () => {
    const { demo } = await import("./cli/demo/demo.ts");
    const { packageRoot } = await import("./world/files/package-root.ts");
    const { nodeCommands: commands } = await import("./world/processes/node-commands.ts");
    return (door) => demo(door, { packageRoot: packageRoot(), commands });
  },
  status: async () => (await import("./cli/look/status.ts")).status,
  log: async () => {
    const { log } = await import("./cli/look/log.ts");
    return byUser(log);
  },
  why: async () => (await import("./cli/look/why.ts")).whyCommand,
  replay: async () => (await import("./cli/look/replay.ts")).replay,
  transcript: async () => (await import("./cli/look/transcript.ts")).transcript,
  questions: async () => (await import("./cli/look/questions.ts")).questions,
  diff: () => forRuns(async () => (await import("./cli/look/diff.ts")).diff),
  approve: () => forRuns(async () => (await import("./cli/begin/approve-plan.ts")).approvePlan),
  task: async () => {
    const [{ taskCommand: task }, { openDocuments }] = await Promise.all([
      import("./cli/documents/task.ts"),
      import("./compose-documents.ts"),
    ]);
    const { enclosingTurn } = await import("./world/processes/enclosing-turn.ts");
    const { userInfo } = await import("node:os");
    const { env, argv } = process;
    const ports = { user: userInfo().username, enclosingTurn: enclosingTurn(env), typed: argv.slice(2) };
    return (door) => task(door, { ...ports, open: (root) => openDocuments(env, root) });
  },
  mcp: async () => {
    const [{ mcp }, { composeMcp }] = await Promise.all([
      import("./cli/servers/mcp.ts"),
      import("./compose-mcp.ts"),
    ]);
    return (door) => mcp(door, composeMcp(process.env));
  },
  "turn-server": async () => {
    const [{ turnServerCommand: turnServer }, { composeTurnServer }] = await Promise.all([
      import("./cli/servers/turn-server.ts"),
      import("./compose-turn-server.ts"),
    ]);
    return (door) => turnServer(door, composeTurnServer(process.env));
  },
  "model-server": async () => {
    const { modelServer } = await import("./cli/servers/model-server.ts");
    const { nodeLoopbackServers: servers } = await import("./world/network/node-loopback-server.ts");
    const { nodeLineFiles: lineFiles } = await import("./world/files/line-file.ts");
    return (door) => modelServer(door, { servers, lineFiles });
  },
  init: () => forRuns(async () => (await import("./cli/setup/init.ts")).init),
  workflows: async () => {
    const { workflows } = await import("./cli/documents/workflows.ts");
    const { packageRoot } = await import("./world/files/package-root.ts");
    return (door) => workflows(door, { packageRoot: packageRoot() });
  },
  hook: async () => {
    const { hook } = await import("./cli/documents/hook.ts");
    const { packageRoot } = await import("./world/files/package-root.ts");
    const { enclosingTurn } = await import("./world/processes/enclosing-turn.ts");
    const { CLAUDE_PROJECT_DIR: project } = process.env;
    const isInsideTurn = enclosingTurn(process.env) !== undefined;
    return (door) => hook(door, { packageRoot: packageRoot(), project, isInsideTurn });
  },
};

/** Passes the enclosing turn, if any, to a command that agents must not use inside a turn. */
async function knowingTurn(
  load: () => Promise<(door: CommandContext, asked: CallerContext) => Promise<ExitCode>>,
): Promise<RunCommand> {
  const [command, { enclosingTurn }] = await Promise.all([
    load(),
    import("./world/processes/enclosing-turn.ts"),
  ]);
  return (door) => command(door, { enclosingTurn: enclosingTurn(process.env), typed: process.argv.slice(2) });
}

/** Passes the user's name, under which the command records its changes. */
async function byUser(
  command: (door: CommandContext, ports: LogPorts) => Promise<ExitCode>,
): Promise<RunCommand> {
  const { userInfo } = await import("node:os");
  return knowingTurn(async () => (door, asked) => command(door, { ...asked, user: userInfo().username }));
}

/** Passes the ports for runs to a command. */
async function forRuns(
  load: () => Promise<(door: CommandContext, ports: RunPorts) => Promise<ExitCode>>,
): Promise<RunCommand> {
  const [command, { composeRuns }] = await Promise.all([load(), import("./compose-runs.ts")]);
  return (door) => command(door, composeRuns(process.env));
}

function load({ name }: CommandSpec): Promise<RunCommand> {
  const loader = loaders[name];
  assert(loader, `the command ${name} can be loaded`);
  return loader();
}

async function help(terminal: Terminal, command: CommandSpec | undefined): Promise<ExitCode> {
  const settings = command?.takesSettings
    ? (await import("./cli/begin/setting-options.ts")).settingsHelp()
    : "";
  terminal.print((command && commandHelp(command.name, settings)) ?? helpText());
  return exit.done;
}

/** Changes to the folder given with -C. */
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
      hint: "Name an existing folder: -C DIR",
    };
  }
}

function crashed(
  terminal: Terminal,
  command: CommandSpec | undefined,
  failure: Failure,
  debug: boolean,
): ExitCode {
  if (debug && failure.stack) terminal.notice(`${failure.stack}\n`);
  return tellProblems({ terminal }, command?.name, [failure.problem], failure.exit);
}
