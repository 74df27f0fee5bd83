/**
 * The driver for agent programs: starts one as `command` starts any program, reads the events that it prints, and judges
 * by the event that ends a turn.
 *
 * The exit code alone proves nothing: some end with 0 when they were interrupted, and some call a failure a success.
 */
import { present } from "../std/present.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { Ended, Processes } from "../world/processes.ts";
import type { AgentClient } from "./agent-client.ts";
import { outputCaps } from "./caps.ts";
import { clientFailure } from "./client-failure.ts";
import { ClientTale } from "./client-tale.ts";
import { isUnheld } from "./command.ts";
import { confinementOf, isReadOnly } from "./confinement.ts";
import type { Driver, TurnOutcome, TurnRequest } from "./driver.ts";
import { EventLines } from "./event-lines.ts";
import { escapes, exitFailure, promptFailure } from "./failure.ts";
import { LineSplitter } from "./line-splitter.ts";
import { Listener } from "./listener.ts";
import { troubleFailure } from "./trouble.ts";

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

      const listener = new Listener({
        // How much was said is not how much was printed, and that is counted below.
        onSign: (sign) => (sign.kind === "output" ? undefined : watching?.onSign?.(sign)),
      });
      const tale = new ClientTale(listener, watching);
      const events = new EventLines({
        onEvent: (event) => {
          for (const heard of client.hear(event, turn)) tale.take(heard);
        },
        onOthers: (lines) => listener.hear("stderr", encodeUtf8(`${lines.join("\n")}\n`)),
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
        environment: {
          ...start.defaults,
          ...world.environmentOf(turn, client.variables),
          ...start.environment,
        },
        input: encodeUtf8(turn.prompt),
        ...outputCaps,
        graceMs: world.graceMs,
        confinement: confinementOf(turn),
        onOutput(stream, bytes) {
          if (bytes.length > 0) watching?.onSign?.({ kind: "output", bytes: bytes.length });
          if (stream === "stdout") return events.push(bytes);
          listener.hear("stderr", bytes);
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
  return {
    ended: ending,
    reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
    lastLine: listener.lastLine,
    ...present({ usage: tale.usage, session: tale.session }),
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
  const lastLine = listener.lastComplaint;
  const { trouble, resetsAt } = tale;
  const isByItself = how.kind === "exited" || how.kind === "signalled";
  // An exit code above 128 comes out as a signal where a shell holds the program, and some end with 144.
  // Cancelled by us, when it gave no hope; unless whoever started it wanted that.
  if (trouble && (isByItself || (how.kind === "cancelled" && !wasCancelled)))
    return troubleFailure({ agent, client, resetsAt, trouble });
  if (how.kind === "cancelled") return { kind: "cancelled" };
  if (how.kind === "exited" && tale.isComplete)
    return how.code === 0 ? { kind: "replied" } : exitFailure({ agent, lastLine, code: how.code });
  return clientFailure({ client, agent, program, ended, lastLine, resetsAt });
}
