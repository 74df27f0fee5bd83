/**
 * The driver for agent programs: starts one as `command` starts any program, reads the events that it prints, and judges
 * by the event that ends a turn.
 *
 * The exit code alone proves nothing: some end with 0 when they were interrupted, and some call a failure a success.
 */
import { unreachable } from "../std/assert.ts";
import { present } from "../std/present.ts";
import { oneLine } from "../std/printable.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { Ended, Processes } from "../world/processes.ts";
import type { AgentClient, ClientEvent } from "./agent-client.ts";
import { outputCaps } from "./caps.ts";
import { ClientTale } from "./client-tale.ts";
import { isUnheld, notStarted } from "./command.ts";
import { confinementOf, isReadOnly } from "./confinement.ts";
import type { Driver, TurnOutcome, TurnRequest } from "./driver.ts";
import {
  escapes,
  exitFailure,
  failure,
  outputLimitFailure,
  promptFailure,
  signalFailure,
} from "./failure.ts";
import { LineSplitter } from "./line-splitter.ts";
import { Listener } from "./listener.ts";
import { withModel } from "./model-usage.ts";
import { troubleCode, troubleFailure } from "./trouble.ts";
import { TurnRecorder } from "./turn-recorder.ts";

export interface ClientWorld {
  readonly processes: Processes;
  /** Between being asked to end and being killed: for it to end what it started itself. */
  readonly graceMs: number;
  /** What an agent gets of ours, with these variables of the client's own. */
  environmentOf(turn: TurnRequest, variables: readonly string[]): Readonly<Record<string, string>>;
}

export function clientDriver(client: AgentClient, world: ClientWorld): Driver {
  return {
    name: client.name,
    ways: ["desk", "proposal"],
    canResume: client.canResume,
    start(turn, watching) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const { model, command, args = [] } = turn.settings;
      const start = client.start({
        model,
        isReadOnly: isReadOnly(turn),
        ...present({ resume: turn.resume, server: turn.server }),
      });

      const environment = {
        ...start.defaults,
        ...world.environmentOf(turn, client.variables),
        ...start.environment,
      };
      const recorder = new TurnRecorder(watching, environment);
      const listener = new Listener({
        // How much was said is not how much was printed, and that is counted below.
        onSign: (sign) => (sign.kind === "output" ? undefined : watching?.onSign?.(sign)),
      });
      const tale = new ClientTale(listener, watching);
      const events = new EventLines({
        onEvent: (event, line) => {
          recorder.record("event", line);
          for (const heard of client.hear(event, turn)) {
            tale.take(heard);
            recorder.understand(heard);
          }
        },
        onOthers(lines) {
          listener.hear("stderr", encodeUtf8(`${lines.join("\n")}\n`));
          for (const line of lines) recorder.record("stdout", line);
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
          recorder.end();
          return outcomeOf({ client, turn, program, ended, tale, listener, wasCancelled });
        }),
        cancel() {
          wasCancelled = true;
          running.cancel();
        },
      };
    },
  };
}

/** More than any event with the whole of a file in it; what is longer is no event that we need. */
const eventLengthMax = 8 * 1024 * 1024;

interface EventHearing {
  onEvent(event: ClientEvent, line: string): void;
  /** Lines that are none, as they came together. */
  onOthers(lines: readonly string[]): void;
}

class EventLines {
  readonly #lines = new LineSplitter(eventLengthMax);
  readonly #hearing: EventHearing;

  constructor(hearing: EventHearing) {
    this.#hearing = hearing;
  }

  push(bytes: Uint8Array): void {
    this.#hear((onLine) => this.#lines.push(bytes, onLine));
  }

  end(): void {
    this.#hear((onLine) => this.#lines.end(onLine));
  }

  #hear(split: (onLine: (line: string) => void) => void): void {
    const others: string[] = [];
    split((line) => {
      const event = eventIn(line);
      if (event === undefined) others.push(line);
      else this.#hearing.onEvent(event, line);
    });
    if (others.length > 0) this.#hearing.onOthers(others);
  }
}

function eventIn(line: string): ClientEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as ClientEvent;
  } catch {
    // Cut off, or some other word that begins with a brace.
    return undefined;
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
  turn: { agent },
  program,
  ended,
  tale,
  listener,
  wasCancelled,
}: EndedClient): TurnOutcome["ended"] {
  const { how } = ended;
  const last = { agent, lastLine: listener.lastComplaint };
  const troubled = { agent, client, resetsAt: tale.resetsAt };
  switch (how.kind) {
    case "cancelled":
      // By us, when it gave no hope; unless whoever started it wanted that.
      return tale.trouble && !wasCancelled
        ? troubleFailure({ ...troubled, trouble: tale.trouble })
        : { kind: "cancelled" };
    case "output-limit":
      return outputLimitFailure(last);
    case "not-started":
      return how.errno === "ENOENT" && how.message.startsWith(program)
        ? notInstalled(client, { agent, message: how.message })
        : notStarted(how, { agent, program });
    case "signalled":
      // An exit code above 128 comes out as a signal where a shell holds the program, and some end with 144.
      if (tale.trouble) return troubleFailure({ ...troubled, trouble: tale.trouble });
      return signalFailure({ ...last, signal: how.signal });
    case "exited": {
      if (tale.trouble) return troubleFailure({ ...troubled, trouble: tale.trouble });
      if (tale.isComplete && how.code === 0) return { kind: "replied" };
      const message = lastWords(ended.stderr);
      if (!tale.isComplete && troubleCode({ message }) !== undefined)
        return troubleFailure({ ...troubled, trouble: { message } });
      return how.code === 0 ? noResult(client, last) : exitFailure({ ...last, code: how.code });
    }
    default:
      return unreachable(how);
  }
}

function notInstalled(client: AgentClient, { agent, message }: { agent: string; message: string }) {
  const { title, install, program } = client;
  const advice = `Install ${title} (${install}), or write where it is into the agent's entry: command: [/path/to/${program}]`;
  return failure(
    "AGENT_NOT_INSTALLED",
    `agent ${oneLine(agent)} cannot be started: ${oneLine(message)}. ${advice}`,
  );
}

function noResult({ title }: AgentClient, { agent, lastLine }: { agent: string; lastLine: string }) {
  const said = lastLine === "" ? "" : `; its last line was: "${lastLine}"`;
  return failure(
    "AGENT_NO_RESULT",
    `agent ${oneLine(agent)} (${title}) ended without saying that its turn is over${said}. It was interrupted, or its version prints other events: see cox doctor`,
  );
}

/** What it complained of last, where its events say nothing. */
function lastWords(stderr: Uint8Array): string {
  const lines = decodeUtf8(stderr.subarray(-4096)).trim().split("\n");
  return lines.slice(-5).join(" ");
}
