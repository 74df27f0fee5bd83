/**
 * Run time on a machine that may be suspended, in a process that may be stopped.
 *
 * The monotonic clock does not notice that a process was stopped (SIGSTOP, a debugger, a frozen container). So we read
 * it every second, and the time between two readings counts only if it can have been spent working.
 */
import type { RunClock } from "./run-clock.ts";

/** What the run clock is made from. */
export interface TimeSource {
  /** Milliseconds that never go backwards. */
  monotonic(): number;
  wall(): number;
  /** Calls once, keeping the process alive until then. The returned function cancels it. */
  once(ms: number, call: () => void): () => void;
  /** Calls repeatedly, without keeping the process alive. */
  every(ms: number, call: () => void): void;
}

const lookEveryMs = 1000;
/**
 * The longest gap between two readings that still counts. A machine where a second takes up to five is just busy; if it
 * takes longer, the process was not running.
 */
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
        // A long wait is split into short ones: one long timer would come due while the process is stopped.
        if (left > 0) takeBack = source.once(Math.min(left, lookEveryMs), wait);
        // If we could not look for a while, let the events that arrived meanwhile be handled before the call.
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
