/**
 * Plays the steps of one turn inside our own process: it writes real files at the desk, and what it says is the reply.
 * Nothing prevents it from writing elsewhere, because the script is the user's own.
 */
import { relative, resolve } from "node:path";
import { assert, unreachable } from "../../std/assert.ts";
import { concatBytes } from "../../std/bytes.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { PlainFiles } from "../../world/files/plain-files.ts";
import type { ProcessEnd } from "../../world/processes/processes.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import { type CommandWorld, ranUnconfined } from "../command/command.ts";
import { confinementOf } from "../confinement.ts";
import type { TurnHandle, TurnObserver, TurnOutcome, TurnRequest, Usage } from "../driver.ts";
import { escapeFailure, exitFailure, failure, outputLimitFailure, signalFailure } from "../failure.ts";
import { outputCaps } from "../output/caps.ts";
import { TurnOutput } from "../output/turn-output.ts";
import type { ScriptStep } from "./step.ts";

export interface ActorWorld extends CommandWorld {
  readonly files: PlainFiles;
  readonly after: RunClock["after"];
  /** Wall time. */
  readonly now: RunClock["now"];
}

type TurnEnd = TurnOutcome["ended"];

export class Actor {
  readonly #turn: TurnRequest;
  readonly #world: ActorWorld;
  readonly #observer: TurnObserver | undefined;
  readonly #output: TurnOutput;
  readonly #cancelling = new AbortController();
  readonly #said: Uint8Array[] = [];
  #saidBytes = 0;
  #printedBytes = 0;
  #usage: Usage | undefined;
  #session: string | undefined;
  #escaped: number[] = [];
  #ranUnconfined = false;

  constructor(turn: TurnRequest, world: ActorWorld, observer: TurnObserver | undefined) {
    this.#turn = turn;
    this.#world = world;
    this.#observer = observer;
    this.#output = new TurnOutput(observer, world.environmentOf(turn));
  }

  play(steps: readonly ScriptStep[]): TurnHandle {
    return { outcome: this.#play(steps), cancel: () => this.#cancelling.abort() };
  }

  async #play(steps: readonly ScriptStep[]): Promise<TurnOutcome> {
    // The caller gets the turn's handle before the first sign.
    await Promise.resolve();
    const ended = await this.#end(steps);
    this.#output.end();
    return {
      ended,
      reply: concatBytes(this.#said),
      lastLine: this.#output.lastLine,
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(this.#session !== undefined && { session: this.#session }),
      ...(this.#ranUnconfined && { ranUnconfined: true }),
      misconduct: escapeFailure(this.#turn.agent, this.#escaped),
    };
  }

  async #end(steps: readonly ScriptStep[]): Promise<TurnEnd> {
    for (const step of steps) {
      if (this.#cancelling.signal.aborted) break;
      const ended = await this.#perform(step);
      if (ended !== undefined) return ended;
    }
    return this.#cancelling.signal.aborted ? { kind: "cancelled" } : { kind: "replied" };
  }

  async #perform(step: ScriptStep): Promise<TurnEnd | undefined> {
    switch (step.kind) {
      case "say":
      case "lie":
        return this.#say(step.value);
      case "checkpoint":
        return this.#say(`Checkpoint: ${step.value}`);
      case "reply":
        return this.#say(`\`\`\`json ${this.#turn.fence}\n${JSON.stringify(step.value, null, 2)}\n\`\`\``);
      case "write": {
        const { path, content, executable: isExecutable = false } = step.value;
        return this.#at(path, (place) =>
          this.#world.files.write(place, encodeUtf8(content), { isExecutable }),
        );
      }
      case "link":
        return this.#at(step.value.path, (place) => this.#world.files.link(place, step.value.target));
      case "delete":
        return this.#delete(step.value);
      case "run":
        return this.#run(step.value);
      case "sleep":
        return this.#wait((done) => this.#world.after(step.value, done));
      case "hang":
        return this.#wait(() => () => {});
      case "action":
        this.#observer?.onSign?.({ kind: "action", words: oneLine(step.value) });
        this.#output.recorder.record("did", step.value);
        return undefined;
      case "usage":
        return this.#use(step.value);
      case "session":
        this.#session = step.value;
        return undefined;
      case "flood":
        return this.#flood(step.value);
      case "exit":
        return step.value === 0 ? { kind: "replied" } : exitFailure({ ...this.#last(), code: step.value });
      case "crash":
        return typeof step.value === "number"
          ? exitFailure({ ...this.#last(), code: step.value })
          : signalFailure({ ...this.#last(), signal: step.value });
      case "fail":
        return this.#fail(step.value);
      default:
        return unreachable(step);
    }
  }

  #fail({ code, message, resetsInMs }: Extract<ScriptStep, { kind: "fail" }>["value"]): TurnEnd {
    const failure = message ?? `agent ${oneLine(this.#turn.agent)} failed as its script says`;
    return {
      kind: "failed",
      code,
      message: failure,
      ...(resetsInMs === undefined ? {} : { resetsAt: this.#world.now() + resetsInMs }),
    };
  }

  #say(text: string): TurnEnd | undefined {
    return this.#print(encodeUtf8(text.endsWith("\n") ? text : `${text}\n`));
  }

  #print(bytes: Uint8Array): TurnEnd | undefined {
    const kept = bytes.subarray(0, outputCaps.keepBytes - this.#saidBytes);
    this.#said.push(kept);
    this.#saidBytes += kept.length;
    this.#printedBytes += bytes.length;
    this.#output.hear("stdout", bytes);
    return this.#printedBytes > outputCaps.bytesMax ? outputLimitFailure(this.#last()) : undefined;
  }

  #flood(bytes: number): TurnEnd | undefined {
    const wave = encodeUtf8(`${"~".repeat(1023)}\n`.repeat(1024));
    for (let left = bytes; left > 0; left -= wave.length) {
      const ended = this.#print(wave.subarray(0, left));
      if (ended !== undefined) return ended;
    }
    return undefined;
  }

  #use(usage: Extract<ScriptStep, { kind: "usage" }>["value"]): undefined {
    const { inputTokens, outputTokens, usdMicros } = usage;
    this.#usage = {
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
      ...(usdMicros !== undefined && { usdMicros }),
    };
    this.#observer?.onSign?.({ kind: "usage", usage: this.#usage });
  }

  #delete(path: string): TurnEnd | undefined {
    const below = relative(resolve(this.#turn.desk, path), this.#turn.desk);
    // No agent worth playing does this, and a typo in a script could cost the user a home folder.
    if (below !== ".." && !below.startsWith("../")) {
      const message = `the script deletes ${quote(path)}, which holds the desk itself: name something below the desk, or beside it`;
      return failure("SCRIPT_BAD", message);
    }
    return this.#at(path, (place) => this.#world.files.remove(place));
  }

  /** A failed file operation ends the agent, like a program that does not handle errors. */
  #at(path: string, act: (place: string) => void): TurnEnd | undefined {
    try {
      act(resolve(this.#turn.desk, path));
      return undefined;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      this.#output.hear("stderr", `${errno}: ${path}\n`);
      return exitFailure({ ...this.#last(), code: 1 });
    }
  }

  async #run(argv: readonly string[]): Promise<TurnEnd | undefined> {
    const [program, ...args] = argv;
    assert(program !== undefined, "the script's schema asks for a program");
    const { desk } = this.#turn;
    const running = this.#world.processes.start({
      argv: [program, ...args],
      folder: desk,
      environment: this.#world.environmentOf(this.#turn),
      input: new Uint8Array(),
      ...outputCaps,
      graceMs: this.#world.graceMs,
      confinement: confinementOf(this.#turn),
      onOutput: (_, bytes) => this.#output.hear("stderr", bytes),
    });
    const stop = () => running.cancel();
    this.#cancelling.signal.addEventListener("abort", stop);
    const ended = await running.ended;
    const { how, escaped } = ended;
    this.#ranUnconfined ||= ranUnconfined(ended);
    this.#cancelling.signal.removeEventListener("abort", stop);
    this.#escaped.push(...escaped);
    const isFine = how.kind === "cancelled" || (how.kind === "exited" && how.code === 0);
    if (!isFine) this.#output.hear("stderr", `${program}: ${endWords(how)}\n`);
    return undefined;
  }

  #wait(begin: (done: () => void) => () => void): Promise<undefined> {
    const { signal } = this.#cancelling;
    return new Promise((done) => {
      const finish = () => {
        signal.removeEventListener("abort", cancel);
        done(undefined);
      };
      const cancel = () => {
        takeBack();
        finish();
      };
      const takeBack = begin(finish);
      signal.addEventListener("abort", cancel);
    });
  }

  #last() {
    return { agent: this.#turn.agent, lastLine: this.#output.lastComplaint };
  }
}

function endWords(how: ProcessEnd["how"]): string {
  switch (how.kind) {
    case "exited":
      return `ended with exit code ${how.code}`;
    case "signalled":
      return `ended by ${how.signal}`;
    case "not-started":
      return how.message;
    case "cancelled":
    case "output-limit":
      return how.kind;
    default:
      return unreachable(how);
  }
}
