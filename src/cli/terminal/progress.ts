/** One line on a watched terminal that shows how far long work has come. Work of less than a second shows nothing. */
import { oneLine } from "../../std/printable.ts";
import type { CommandContext } from "../command-context.ts";

export interface ProgressBar {
  report(done: number, total: number, what: string): void;
  /** Wipes the line. */
  end(): void;
}

const quietMs = 1000;
const everyMs = 100;

export function openProgress(door: Pick<CommandContext, "terminal" | "clock" | "ignoreKeys">): ProgressBar {
  const { terminal, clock } = door;
  const startedMs = clock.now();
  let shownMs = 0;
  return {
    report(done, total, what) {
      const now = clock.now();
      if (!terminal.isWatched || now - startedMs < quietMs || now - shownMs < everyMs) return;
      if (shownMs === 0) door.ignoreKeys();
      shownMs = now;
      terminal.notice(`\r\x1b[K${done} of ${total}  ${oneLine(what, 60)}`);
    },
    end() {
      if (shownMs > 0) terminal.notice("\r\x1b[K");
    },
  };
}
