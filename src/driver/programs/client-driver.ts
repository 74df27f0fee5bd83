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
import type { Driver, TurnOutcome, TurnRequest } from "../driver.ts";
import { escapeFailure, exitFailure, failedTurn, promptFailure } from "../failure.ts";
import { withModel } from "../model/model-usage.ts";
import { outputCaps } from "../output/caps.ts";
import { LineSplitter } from "../output/line-splitter.ts";
import { OutputMonitor } from "../output/output-monitor.ts";
import { TurnRecorder } from "../output/turn-recorder.ts";
import { troubleFailure } from "../trouble.ts";
import type { AgentClient, ClientStart } from "./agent-client.ts";
import { clientFailure, lastWords, sessionLost } from "./client-failure.ts";
import { ClientTurnState } from "./client-turn-state.ts";
import { EventLines } from "./event-lines.ts";
import { prepareScratch } from "./prepare-scratch.ts";
import { makeKeptFolders } from "./program-home.ts";

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
    modes: ["desk", "proposal"],
    canResume: true,
    takesServer: true,
    start(turn, watching) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const { model, command, args = [] } = turn.settings;
      const given = world.environmentOf(turn, client.variables);
      const start = client.start({
        model,
        isReadOnly: isReadOnlyTurn(turn),
        ...present({ resume: turn.resume, server: turn.server }),
        scratch: turn.scratch,
        environment: given,
      });
      const home = client.home(given, turn.desk);
      makeKeptFolders(world.files, home);
      const prepared = preparedOrFailed(world, turn, start);
      if ("outcome" in prepared) return prepared;

      const environment = { ...start.defaults, ...given, ...start.environment };
      const recorder = new TurnRecorder(watching, environment);
      const listener = new OutputMonitor({
        // The length of messages is not the amount of output, which is counted below.
        onSign: (sign) => (sign.kind === "output" ? undefined : watching?.onSign?.(sign)),
      });
      const turnState = new ClientTurnState({ listener, recorder, watching });
      const events = new EventLines({
        onEvent: (event, line) => {
          recorder.record("event", line);
          for (const heard of client.hear(event, turn)) turnState.take(heard);
        },
        onOthers(lines) {
          const bytes = encodeUtf8(`${lines.join("\n")}\n`);
          listener.hear("stderr", bytes);
          recorder.hear("stdout", bytes);
        },
      });
      const complaints = new LineSplitter();
      let wasCancelled = false;
      // It may complain before `processes.start` returns.
      let end = () => {
        queueMicrotask(() => end());
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
          if (bytes.length > 0) watching?.onSign?.({ kind: "output", bytes: bytes.length });
          if (stream === "stdout") return events.push(bytes);
          listener.hear("stderr", bytes);
          recorder.hear("stderr", bytes);
          complaints.push(bytes, (line) => {
            const trouble = client.givesUp?.(line);
            if (trouble === undefined || wasCancelled) return;
            turnState.take({ heard: "trouble", trouble });
            end();
          });
        },
      });
      end = () => running.cancel();
      return {
        ...present({ identity: running.identity }),
        outcome: running.ended.then((ended) => {
          events.end();
          turnState.end();
          listener.end();
          for (const left of prepared.collect()) recorder.record("stderr", left);
          recorder.end();
          return outcomeOf({
            client,
            turn,
            program,
            ended,
            turnState,
            listener,
            wasCancelled,
            now: world.now(),
          });
        }),
        cancel() {
          wasCancelled = true;
          running.cancel();
        },
      };
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
  readonly turnState: ClientTurnState;
  readonly listener: OutputMonitor;
  readonly wasCancelled: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function outcomeOf(parts: EndedClient): TurnOutcome {
  const { turn, ended, turnState, listener } = parts;
  const ending = endingOf(parts);
  const reply = ending.kind === "replied" ? turnState.lastMessage : turnState.messages;
  const model = turn.settings.model ?? `the default model of ${parts.client.title}`;
  const usage = turnState.usage && withModel(turnState.usage, model);
  return {
    ended: ending,
    reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
    lastLine: listener.lastLine,
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
  turnState,
  listener,
  wasCancelled,
  now,
}: EndedClient): TurnOutcome["ended"] {
  const { how } = ended;
  const { agent, resume } = turn;
  const lastLine = listener.lastComplaint;
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
