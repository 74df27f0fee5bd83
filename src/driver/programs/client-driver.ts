/**
 * The driver for agent programs: starts one as `command` starts any program, reads the events that it prints, and
 * judges by the event that ends a turn.
 *
 * The exit code alone proves nothing: some programs exit with 0 when interrupted, and some call a failure a success.
 */

import { present } from "../../std/present.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { PlainFiles } from "../../world/files/plain-files.ts";
import type { ProcessEnd, Processes } from "../../world/processes/processes.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import { ranUnconfined } from "../command/command.ts";
import { cannotStart } from "../command/turn-command.ts";
import { confinementOf, isReadOnlyTurn } from "../confinement.ts";
import type { Driver, TurnHandle, TurnObserver, TurnOutcome, TurnRequest } from "../driver.ts";
import { escapeFailure, exitFailure, failedTurn, promptFailure } from "../failure.ts";
import { withModel } from "../model/model-usage.ts";
import { outputCaps } from "../output/caps.ts";
import { LineSplitter } from "../output/line-splitter.ts";
import { troubleFailure } from "../trouble.ts";
import { workModes } from "../work-modes.ts";
import type { AgentClient, ClientStart } from "./agent-client.ts";
import { clientFailure, lastWords, sessionLost } from "./client-failure.ts";
import { ClientOutput } from "./client-output.ts";
import { type PreparedScratch, prepareScratch } from "./prepare-scratch.ts";
import { makeKeptFolders, type ProgramHome } from "./program-home.ts";

export interface ClientWorld {
  readonly processes: Processes;
  readonly now: RunClock["now"];
  readonly files: PlainFiles;
  /** Time between SIGTERM and SIGKILL, so the program can stop its own children. */
  readonly graceMs: number;
  /** The environment that an agent gets from ours, including these variables of the client. */
  environmentOf(turn: TurnRequest, variables: readonly string[]): Readonly<Record<string, string>>;
}

export function clientDriver(client: AgentClient, world: ClientWorld): Driver {
  return {
    name: client.name,
    modes: workModes(client.name),
    canResume: true,
    takesServer: true,
    start(turn, observer) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const prepared = prepareTurn(client, world, turn);
      return "outcome" in prepared ? prepared : startProgram({ client, world, turn, prepared, observer });
    },
  };
}

interface PreparedTurn {
  readonly start: ClientStart;
  readonly home: ProgramHome;
  readonly environment: Readonly<Record<string, string>>;
  readonly scratch: PreparedScratch;
}

function prepareTurn(client: AgentClient, world: ClientWorld, turn: TurnRequest): PreparedTurn | TurnHandle {
  const given = world.environmentOf(turn, client.variables);
  const start = client.start({
    model: turn.settings.model,
    isReadOnly: isReadOnlyTurn(turn),
    ...present({ resume: turn.resume, server: turn.server }),
    scratch: turn.scratch,
    environment: given,
  });
  const home = client.home(given, turn.desk);
  makeKeptFolders(world.files, home);
  const scratch = preparedOrFailed(world, turn, start);
  if ("outcome" in scratch) return scratch;
  const environment = { ...start.defaults, ...given, ...start.environment };
  return { start, home, environment, scratch };
}

interface StartedTurn {
  readonly client: AgentClient;
  readonly world: ClientWorld;
  readonly turn: TurnRequest;
  readonly prepared: PreparedTurn;
  readonly observer: TurnObserver | undefined;
}

function startProgram({ client, world, turn, prepared, observer }: StartedTurn): TurnHandle {
  const { start, home, environment, scratch } = prepared;
  const { command, args = [] } = turn.settings;
  let wasCancelled = false;
  // It may complain before `processes.start` returns.
  let end = () => {
    queueMicrotask(() => end());
  };
  const output = new ClientOutput({
    observer,
    environment,
    onEvent(event) {
      for (const signal of client.signalsOf(event, turn)) output.turnState.take(signal);
    },
  });
  const complaints = new LineSplitter();
  const hearComplaint = (line: string) => {
    const trouble = client.givesUp?.(line);
    if (trouble === undefined || wasCancelled) return;
    output.turnState.take({ kind: "trouble", trouble });
    end();
  };
  const [program = client.program, ...before] = command ?? [];
  const running = world.processes.start({
    argv: [program, ...before, ...start.args, ...args, ...(start.lastArgs ?? [])],
    folder: turn.desk,
    environment,
    input: encodeUtf8(turn.prompt),
    ...outputCaps,
    graceMs: world.graceMs,
    confinement: confinementOf(turn, home),
    onOutput(stream, bytes) {
      output.hear(stream, bytes);
      if (stream === "stderr") complaints.push(bytes, hearComplaint);
    },
  });
  end = () => running.cancel();
  return {
    ...present({ identity: running.identity }),
    outcome: running.ended.then((ended) => {
      output.endEvents();
      for (const left of scratch.collect()) output.record(left);
      output.end();
      return outcomeOf({ client, turn, program, ended, output, wasCancelled, now: world.now() });
    }),
    cancel() {
      wasCancelled = true;
      running.cancel();
    },
  };
}

/** A refusal by the disk is an outcome like any other. */
function preparedOrFailed({ files }: ClientWorld, { agent, scratch }: TurnRequest, start: ClientStart) {
  try {
    return prepareScratch(files, scratch, start);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    const message = `${cannotStart(agent)}: its scratch folder could not be prepared (${errno})`;
    return failedTurn(
      "DESK_FAILED",
      `${message}. Make room, or look whether the folder of desks can be written to.`,
    );
  }
}

interface EndedClient {
  readonly client: AgentClient;
  readonly turn: TurnRequest;
  readonly program: string;
  readonly ended: ProcessEnd;
  readonly output: ClientOutput;
  readonly wasCancelled: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function outcomeOf(parts: EndedClient): TurnOutcome {
  const { turn, ended, output } = parts;
  const { turnState } = output;
  const ending = endingOf(parts);
  const reply = ending.kind === "replied" ? turnState.lastMessage : turnState.messages;
  const model = turn.settings.model ?? `the default model of ${parts.client.title}`;
  const usage = turnState.usage && withModel(turnState.usage, model);
  return {
    ended: ending,
    reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
    lastLine: output.lastLine,
    ...present({ usage, session: turnState.session }),
    toolUses: turnState.toolUses,
    ...(ranUnconfined(ended) && { ranUnconfined: true }),
    misconduct: escapeFailure(turn.agent, ended.escaped),
  };
}

function endingOf({
  client,
  turn,
  program,
  ended,
  output,
  wasCancelled,
  now,
}: EndedClient): TurnOutcome["ended"] {
  const { how } = ended;
  const { agent, resume } = turn;
  const { lastComplaint: lastLine, turnState } = output;
  const { trouble, resetsAt } = turnState;
  const isByItself = how.kind === "exited" || how.kind === "signalled";
  if (resume !== undefined && how.kind === "exited" && !turnState.isComplete) {
    const said = trouble?.message ?? lastWords(ended.stderr);
    if (client.sessionLost.test(said)) return sessionLost(client, agent);
  }
  // With a shell in front, an exit code above 128 looks like a signal, and some programs exit with 144. A cancel counts
  // as trouble only if it was ours because the program was hopeless, not the caller's.
  if (trouble && (isByItself || (how.kind === "cancelled" && !wasCancelled)))
    return troubleFailure({ agent, client, resetsAt, trouble, now });
  if (how.kind === "cancelled") return { kind: "cancelled" };
  if (how.kind === "exited" && turnState.isComplete)
    return how.code === 0 ? { kind: "replied" } : exitFailure({ agent, lastLine, code: how.code });
  return clientFailure({ client, agent, program, ended, lastLine, resetsAt, now });
}
