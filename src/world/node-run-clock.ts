/**
 * Run time on a machine that may be suspended, with a process that may be stopped.
 *
 * The monotonic clock does not know that a process was stopped (SIGSTOP, a debugger, a frozen container). So it is
 * looked at every second, and what lies between two looks counts only if it can have been spent working.
 */
import type { RunClock } from "./run-clock.ts";

/** What the run clock is made from. */
export interface TimeSource {
  /** Milliseconds that never go back. */
  monotonic(): number;
  wall(): number;
  /** Calls once, holding the process until then. The answer takes it back. */
  once(ms: number, call: () => void): () => void;
  /** Calls again and again, holding nobody. */
  every(ms: number, call: () => void): void;
}

const lookEveryMs = 1000;
/** Between two looks; a machine so busy that a second takes five is late, one that takes longer was not running. */
const gapMs = 5000;

export function nodeRunClock(source: TimeSource = nodeTime): RunClock {
  let seen = source.monotonic();
  let run = 0;
  function elapsed(): number {
    const now = source.monotonic();
    const gap = now - seen;
    seen = now;
    run += gap > gapMs ? lookEveryMs : gap;
    return run;
  }
  source.every(lookEveryMs, elapsed);

  return {
    elapsed,
    now: () => source.wall(),
    after(ms, call) {
      const due = elapsed() + ms;
      let takeBack = () => {};
      const wait = () => {
        const wasKept = source.monotonic() - seen > 2 * lookEveryMs;
        const left = due - elapsed();
        // A long wait is made of short ones: a timer of the whole length would come due while the process is stopped.
        if (left > 0) takeBack = source.once(Math.min(left, lookEveryMs), wait);
        // Whoever was kept from looking hears first what was said meanwhile, and judges then.
        else if (wasKept) takeBack = source.once(0, call);
        else call();
      };
      takeBack = source.once(Math.min(Math.max(ms, 0), lookEveryMs), wait);
      return () => takeBack();
    },
  };
}

const nodeTime: TimeSource = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  once(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  every: (ms, call) => void setInterval(call, ms).unref(),
};
