/**
 * Collects a stream's output: keeps the first bytes, counts all of them, and passes them on a few times a second,
 * however small the pieces in which they arrive.
 */
import { concatBytes } from "../../std/bytes.ts";

export interface OutputTap {
  take(bytes: Uint8Array): void;
  /** Passes on whatever is still waiting. */
  close(): void;
  readonly kept: Uint8Array;
  readonly count: number;
}

export interface TapSettings {
  readonly keepBytes: number;
  readonly passEveryMs?: number;
  pass?(bytes: Uint8Array): void;
}

const aFewTimesASecondMs = 200;
/** A flood is passed on at once in pieces of this size, so that it does not pile up in memory. */
const gatherBytes = 1024 * 1024;

export function outputTap({ keepBytes, passEveryMs = aFewTimesASecondMs, pass }: TapSettings): OutputTap {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let count = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waitingBytes === 0) return;
    const bytes = concatBytes(waiting);
    waiting = [];
    waitingBytes = 0;
    pass?.(bytes);
  }

  return {
    take(bytes) {
      count += bytes.length;
      if (keptBytes < keepBytes) {
        // Copied, because a short piece would otherwise keep the whole buffer it was read into alive.
        const piece = Uint8Array.from(bytes.subarray(0, keepBytes - keptBytes));
        kept.push(piece);
        keptBytes += piece.length;
      }
      if (!pass) return;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= gatherBytes) flush();
      else timer ??= setTimeout(flush, passEveryMs);
    },
    close: flush,
    get kept() {
      return concatBytes(kept);
    },
    get count() {
      return count;
    },
  };
}
