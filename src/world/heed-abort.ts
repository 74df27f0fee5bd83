/**
 * An answer whose body ends when its signal is aborted, always. Node's own `fetch` holds on to the link between a signal
 * and a body only weakly: once its garbage is collected, an abort in the midst of a stream is heard by nobody.
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
        // Nobody reads it any more, so nobody is told that it could not be closed.
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
