/**
 * A response whose body always ends when its signal is aborted. Node's own `fetch` holds the link between signal and
 * body only weakly: after a garbage collection, an abort in the middle of a stream has no effect.
 */
export function heedAbort(response: Response, signal: AbortSignal | null | undefined): Response {
  const { body, status, statusText, headers } = response;
  if (!signal || !body) return response;
  return new Response(untilAborted(body, signal), { status, statusText, headers });
}

function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let hearNoMore = () => {};
  return new ReadableStream({
    start(controller) {
      const abort = () => {
        controller.error(signal.reason);
        // Nobody reads the body any more, so a failure to close it does not matter.
        reader.cancel(signal.reason).catch(() => {});
      };
      hearNoMore = () => signal.removeEventListener("abort", abort);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (signal.aborted) return;
        if (!done) return controller.enqueue(value);
        hearNoMore();
        controller.close();
      } catch (error) {
        hearNoMore();
        controller.error(error);
      }
    },
    cancel(reason) {
      hearNoMore();
      return reader.cancel(reason);
    },
  });
}
