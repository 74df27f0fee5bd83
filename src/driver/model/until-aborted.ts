/**
 * Reads a stream until a signal is aborted, and stops at once: the reader does not wait for a part that a stalled
 * server never sends. The stream is asked to stop, but whether it does is not important.
 */
export async function* untilAborted<Part>(
  stream: AsyncIterable<Part>,
  signal: AbortSignal,
): AsyncGenerator<Part, void> {
  const parts = stream[Symbol.asyncIterator]();
  let abort = () => {};
  const aborted = new Promise<"aborted">((resolve) => {
    abort = () => resolve("aborted");
  });
  signal.addEventListener("abort", abort, { once: true });
  try {
    while (!signal.aborted) {
      const next = await Promise.race([parts.next(), aborted]);
      if (next === "aborted" || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // Some streams wait here for the part that never comes, so this is not awaited.
    parts.return?.()?.catch(() => {});
  }
}
