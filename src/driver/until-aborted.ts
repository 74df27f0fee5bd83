/**
 * What a stream says until a signal is aborted, and not a moment longer: whoever reads is not made to wait for a next
 * part that a stalled server never sends. The stream is told, and whether it hears is no matter.
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
    // Some wait here for the part that never comes.
    parts.return?.()?.catch(() => {});
  }
}
