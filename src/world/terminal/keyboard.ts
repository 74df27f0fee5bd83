/**
 * Reads keys from the controlling terminal: the only place that reads a person's answers.
 *
 * A yes counts only if it was typed after its question was shown. So from the first question, or the first live view,
 * until the process ends, keys are read and discarded as they come, without being shown. A question waits until the
 * keyboard is quiet, and nothing happens between the last check for keys and the question. When a line has answered it,
 * the rest of what was typed is discarded again.
 */
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { decodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../files/errno.ts";
import { pause, pauseUnless } from "../time/pause.ts";
import { isForeground } from "./is-foreground.ts";
import { TerminalMode } from "./terminal-mode.ts";

/** A view that must be hidden while the process is stopped by Ctrl-Z. */
export interface LiveView {
  pause(): void;
  resume(): void;
}

/** How often we check for keys. */
const everyMs = 25;
/**
 * A paste comes in pieces, and even a single key takes the system a moment. After this much silence nothing follows.
 */
const quietMs = 60;
/** How often a background process checks whether it was brought to the foreground. */
const foregroundEveryMs = 500;

/** `away`: the terminal is as we found it. `quiet`: keys are discarded. `line`: an answer is being typed. */
type Mode = "away" | "quiet" | "line";

export class Keyboard {
  readonly #input = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK);
  /**
   * Opened separately, since it is also given to other programs: Node makes a descriptor blocking when it passes it on.
   */
  readonly #output = openSync("/dev/tty", "w");
  readonly #terminal = new TerminalMode(this.#output);
  readonly #views = new Set<LiveView>();
  readonly #bytes = new Uint8Array(4096);
  #mode: Mode = "away";
  #timer: NodeJS.Timeout | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  /** Bytes discarded so far. */
  #discarded = 0;
  /** How often the process was continued after a stop. */
  #continued = 0;
  #isLeft = false;

  /** `undefined` when there is no controlling terminal that we may open. */
  static open(): Keyboard | undefined {
    try {
      return new Keyboard();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      return undefined;
    }
  }

  /** Discards keys from now on. The returned function removes the view. */
  ignore(view?: LiveView): () => void {
    if (view) this.#views.add(view);
    this.#begin();
    return () => {
      if (view) this.#views.delete(view);
    };
  }

  tell(text: string): void {
    writeSync(this.#output, text);
  }

  /** Whether the terminal can be made quiet before a question. In the background this is only known when asking. */
  canAsk(): boolean {
    this.#begin();
    return this.#takeOver() || !isForeground();
  }

  /** The line typed after the question was shown; `undefined` when the input was closed or the signal came first. */
  async ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    this.#begin();
    while (!signal.aborted && (await this.#reach())) {
      await this.#untilQuiet(signal);
      if (signal.aborted) break;
      this.#discard();
      this.tell(question);
      const answer = await this.#readLine(signal);
      // After a stop and a continue the screen has changed, so the question is asked again.
      if (answer !== continued) return answer?.trim();
    }
    return undefined;
  }

  /** Restores the terminal as we found it. Calling it again changes nothing. */
  leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    clearInterval(this.#timer);
    clearTimeout(this.#stopTimer);
    process.off("SIGTSTP", this.#stop).off("SIGCONT", this.#continue).off("exit", this.#exit);
    this.#giveBack();
    closeSync(this.#input);
    closeSync(this.#output);
  }

  #begin(): void {
    if (this.#timer || this.#isLeft) return;
    process.on("SIGTSTP", this.#stop).on("SIGCONT", this.#continue).on("exit", this.#exit);
    let sinceMs = 0;
    this.#timer = setInterval(() => {
      sinceMs += everyMs;
      if (this.#mode === "away" && sinceMs >= foregroundEveryMs) {
        sinceMs = 0;
        this.#takeOver();
      }
      this.#discard();
    }, everyMs).unref();
    this.#takeOver();
  }

  #takeOver(): boolean {
    if (this.#mode !== "quiet" && isForeground() && this.#terminal.quiet()) this.#mode = "quiet";
    return this.#mode === "quiet";
  }

  /**
   * Returns false when nobody can be asked. In the background the process stops, like every program that reads there.
   */
  async #reach(): Promise<boolean> {
    while (!this.#isLeft && !this.#takeOver()) {
      if (isForeground()) return false;
      const before = this.#continued;
      process.kill(0, "SIGTTIN");
      await pause(quietMs);
      // The first wait may have passed while the process was stopped; SIGCONT is handled during the second.
      await pause(quietMs);
      // The system does not stop a group that nobody could continue.
      if (!isForeground() && this.#continued === before) return false;
    }
    return !this.#isLeft;
  }

  async #untilQuiet(signal: AbortSignal): Promise<void> {
    let before: number;
    do {
      this.#discard();
      before = this.#discarded;
      await pauseUnless(signal, quietMs);
      this.#discard();
    } while (before !== this.#discarded && !signal.aborted);
  }

  async #readLine(signal: AbortSignal): Promise<string | undefined | typeof continued> {
    this.#terminal.line();
    this.#mode = "line";
    const typed: number[] = [];
    try {
      while (!signal.aborted) {
        if (this.#mode !== "line") return continued;
        const bytes = this.#read();
        if (bytes?.length === 0) return undefined;
        typed.push(...(bytes ?? []));
        // A key typed before the mode changed is not interpreted by the terminal any more.
        if (typed[0] === endOfInput) return undefined;
        const end = typed.indexOf(newline);
        if (end !== -1) return decodeUtf8(Uint8Array.from(typed.slice(0, end)));
        await pauseUnless(signal, everyMs);
      }
      return undefined;
    } finally {
      if (this.#mode === "line") this.#takeOver();
    }
  }

  #discard(): void {
    if (this.#mode !== "quiet") return;
    for (let bytes = this.#read(); bytes && bytes.length > 0; bytes = this.#read())
      this.#discarded += bytes.length;
  }

  /** `undefined` when nothing was typed; empty at the end of the input, or when the terminal is gone. */
  #read(): Uint8Array | undefined {
    try {
      return this.#bytes.slice(0, readSync(this.#input, this.#bytes));
    } catch (error) {
      return errnoOf(error) === "EAGAIN" ? undefined : new Uint8Array();
    }
  }

  #giveBack(): void {
    this.#discard();
    if (this.#mode === "away") this.#terminal.forget();
    else this.#terminal.restore();
    this.#mode = "away";
  }

  /** Ctrl-Z: restores the terminal for the shell, then stops the process as if there were no handler. */
  readonly #stop = (): void => {
    for (const view of this.#views) view.pause();
    this.#giveBack();
    process.off("SIGTSTP", this.#stop);
    process.kill(process.pid, "SIGTSTP");
    // The system does not stop a group that nobody could continue, and then sends no SIGCONT either.
    this.#stopTimer = setTimeout(this.#continue, quietMs);
  };

  /** We no longer know which mode the terminal is in, or whether it is ours. */
  readonly #continue = (): void => {
    clearTimeout(this.#stopTimer);
    process.off("SIGTSTP", this.#stop).on("SIGTSTP", this.#stop);
    this.#continued += 1;
    const wasLine = this.#mode === "line";
    this.#mode = "away";
    if (!wasLine) this.#takeOver();
    for (const view of this.#views) view.resume();
  };

  readonly #exit = (): void => this.leave();
}

const newline = 10;
/** Ctrl-D. */
const endOfInput = 4;
const continued = Symbol("continued");
