/**
 * The driver for agent programs: starts one as `command` starts any program, reads the events that it prints, and judges
 * by the event that ends a turn.
 *
 * The exit code alone proves nothing: some end with 0 when they were interrupted, and some call a failure a success.
 */
import { present } from "../std/present.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { PlainFiles } from "../world/plain-files.ts";
import type { Ended, Processes } from "../world/processes.ts";
import type { RunClock } from "../world/run-clock.ts";
import type { AgentClient, ClientStart } from "./agent-client.ts";
import { outputCaps } from "./caps.ts";
import { clientFailure, lastWords, sessionLost } from "./client-failure.ts";
import { ClientTale } from "./client-tale.ts";
import { isUnheld } from "./command.ts";
import { confinementOf, isReadOnly } from "./confinement.ts";
import type { Driver, TurnOutcome, TurnRequest } from "./driver.ts";
import { EventLines } from "./event-lines.ts";
import { escapes, exitFailure, failedTurn, promptFailure } from "./failure.ts";
import { furnish } from "./furnish.ts";
import { LineSplitter } from "./line-splitter.ts";
import { Listener } from "./listener.ts";
import { withModel } from "./model-usage.ts";
import { troubleFailure } from "./trouble.ts";
import { cannotStart } from "./turn-command.ts";
import { TurnRecorder } from "./turn-recorder.ts";

export interface ClientWorld {
  readonly processes: Processes;
  readonly now: RunClock["now"];
  readonly files: PlainFiles;
  /** Between being asked to end and being killed: for it to end what it started itself. */
  readonly graceMs: number;
  /** What an agent gets of ours, with these variables of the client's own. */
  environmentOf(turn: TurnRequest, variables: readonly string[]): Readonly<Record<string, string>>;
}

export function clientDriver(client: AgentClient, world: ClientWorld): Driver {
  return {
    name: client.name,
    ways: ["desk", "proposal"],
    canResume: true,
    takesServer: true,
    start(turn, watching) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const { model, command, args = [] } = turn.settings;
      const given = world.environmentOf(turn, client.variables);
      const start = client.start({
        model,
        isReadOnly: isReadOnly(turn),
        ...present({ resume: turn.resume, server: turn.server }),
        scratch: turn.scratch,
        environment: given,
      });
      const furnished = furnishing(world, turn, start);
      if ("outcome" in furnished) return furnished;

      const environment = { ...start.defaults, ...given, ...start.environment };
      const recorder = new TurnRecorder(watching, environment);
      const listener = new Listener({
        // How much was said is not how much was printed, and that is counted below.
        onSign: (sign) => (sign.kind === "output" ? undefined : watching?.onSign?.(sign)),
      });
      const tale = new ClientTale({ listener, recorder, watching });
      const events = new EventLines({
        onEvent: (event, line) => {
          recorder.record("event", line);
          for (const heard of client.hear(event, turn)) tale.take(heard);
        },
        onOthers(lines) {
          const bytes = encodeUtf8(`${lines.join("\n")}\n`);
          listener.hear("stderr", bytes);
          recorder.hear("stdout", bytes);
        },
      });
      const complaints = new LineSplitter();
      let wasCancelled = false;
      // It may complain before we have it in hand.
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
        confinement: confinementOf(turn),
        onOutput(stream, bytes) {
          if (bytes.length > 0) watching?.onSign?.({ kind: "output", bytes: bytes.length });
          if (stream === "stdout") return events.push(bytes);
          listener.hear("stderr", bytes);
          recorder.hear("stderr", bytes);
          complaints.push(bytes, (line) => {
            const trouble = client.givesUp?.(line);
            if (trouble === undefined || wasCancelled) return;
            tale.take({ heard: "trouble", trouble });
            end();
          });
        },
      });
      end = () => running.cancel();
      return {
        ...present({ identity: running.identity }),
        outcome: running.ended.then((ended) => {
          events.end();
          tale.end();
          listener.end();
          for (const left of furnished.bringHome()) recorder.record("stderr", left);
          recorder.end();
          return outcomeOf({
            client,
            turn,
            program,
            ended,
            tale,
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

/** What the disk refuses is an outcome like any other. */
function furnishing({ files }: ClientWorld, { agent, scratch }: TurnRequest, start: ClientStart) {
  try {
    return furnish(files, scratch, start);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    const message = `${cannotStart(agent)}: its scratch folder could not be prepared (${errno})`;
    return failedTurn(
      "AGENT_SPAWN",
      `${message}. Make room, or look whether the folder of desks can be written to.`,
    );
  }
}

interface EndedClient {
  readonly client: AgentClient;
  readonly turn: TurnRequest;
  readonly program: string;
  readonly ended: Ended;
  readonly tale: ClientTale;
  readonly listener: Listener;
  readonly wasCancelled: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function outcomeOf(parts: EndedClient): TurnOutcome {
  const { turn, ended, tale, listener } = parts;
  const ending = endingOf(parts);
  const reply = ending.kind === "replied" ? tale.lastMessage : tale.messages;
  const model = turn.settings.model ?? `the default model of ${parts.client.title}`;
  const usage = tale.usage && withModel(tale.usage, model);
  return {
    ended: ending,
    reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
    lastLine: listener.lastLine,
    ...present({ usage, session: tale.session }),
    ...(isUnheld(ended) && { isUnheld: true }),
    misconduct: escapes(turn.agent, ended.escaped),
  };
}

function endingOf({
  client,
  turn,
  program,
  ended,
  tale,
  listener,
  wasCancelled,
  now,
}: EndedClient): TurnOutcome["ended"] {
  const { how } = ended;
  const { agent, resume } = turn;
  const lastLine = listener.lastComplaint;
  const { trouble, resetsAt } = tale;
  const isByItself = how.kind === "exited" || how.kind === "signalled";
  if (resume !== undefined && how.kind === "exited" && !tale.isComplete) {
    const said = trouble?.message ?? lastWords(ended.stderr);
    if (client.sessionLost.test(said)) return sessionLost(client, agent);
  }
  // An exit code above 128 comes out as a signal where a shell holds the program, and some end with 144.
  // Cancelled by us, when it gave no hope; unless whoever started it wanted that.
  if (trouble && (isByItself || (how.kind === "cancelled" && !wasCancelled)))
    return troubleFailure({ agent, client, resetsAt, trouble, now });
  if (how.kind === "cancelled") return { kind: "cancelled" };
  if (how.kind === "exited" && tale.isComplete)
    return how.code === 0 ? { kind: "replied" } : exitFailure({ agent, lastLine, code: how.code });
  return clientFailure({ client, agent, program, ended, lastLine, resetsAt, now });
}
