/** One line on a watched terminal that says how far long work is. Work of less than a second shows nothing. */
import { oneLine } from "../std/printable.ts";
import type { Terminal } from "./terminal.ts";

export interface Progress {
  report(done: number, total: number, what: string): void;
  /** Wipes the line. */
  end(): void;
}

const quietMs = 1000;
const everyMs = 100;

export function openProgress(terminal: Terminal, nowMs: () => number): Progress {
  const startedMs = nowMs();
  let shownMs = 0;
  return {
    report(done, total, what) {
      const now = nowMs();
      if (!terminal.isWatched || now - startedMs < quietMs || now - shownMs < everyMs) return;
      shownMs = now;
      terminal.notice(`\r\x1b[K${done} of ${total}  ${oneLine(what, 60)}`);
    },
    end() {
      if (shownMs > 0) terminal.notice("\r\x1b[K");
    },
  };
}
