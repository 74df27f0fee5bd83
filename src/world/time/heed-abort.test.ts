import { expect, test } from "vitest";
import { heedAbort } from "./heed-abort.ts";

/** A response whose own link to the signal was lost: its body only notices being cancelled. */
function deaf(said: readonly string[]) {
  const cancelled: unknown[] = [];
  const left = [...said];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = left.shift();
      if (next === undefined) await new Promise(() => {});
      controller.enqueue(new TextEncoder().encode(next));
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return { response: new Response(body, { status: 201, headers: { "x-a": "1" } }), cancelled };
}

test("aborting an HTTP answer ends it for its reader, and closes the body", async () => {
  const { response, cancelled } = deaf(["half "]);
  const given = new AbortController();
  const heeding = heedAbort(response, given.signal);
  expect([heeding.status, heeding.headers.get("x-a")]).toEqual([201, "1"]);
  const reader = heeding.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("half ");
  const rest = reader?.read();
  given.abort();
  await expect(rest).rejects.toMatchObject({ name: "AbortError" });
  expect(cancelled).toEqual([given.signal.reason]);
});

test("an HTTP answer that came after the abort is not read", async () => {
  const { response, cancelled } = deaf(["half "]);
  await expect(heedAbort(response, AbortSignal.abort()).text()).rejects.toMatchObject({ name: "AbortError" });
  expect(cancelled).toHaveLength(1);
});

test("a reader that stops closes the body of an HTTP answer, and a failing answer gives its reason", async () => {
  const { signal } = new AbortController();
  const { response, cancelled } = deaf([]);
  await heedAbort(response, signal).body?.cancel("enough");
  expect(cancelled).toEqual(["enough"]);
  const broken = new ReadableStream({ pull: () => Promise.reject(new Error("reset")) });
  await expect(heedAbort(new Response(broken), signal).text()).rejects.toThrow("reset");
  expect(await heedAbort(new Response("whole"), signal).text()).toBe("whole");
});
