import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

test("an abort releases the reader of a stream that never sends another word", async () => {
  const given = new AbortController();
  async function* stalled() {
    yield "one";
    await new Promise(() => {});
  }
  const heard: string[] = [];
  for await (const part of untilAborted(stalled(), given.signal)) {
    heard.push(part);
    setImmediate(() => given.abort());
  }
  expect(heard).toEqual(["one"]);
});

test("data after the abort is not read, and the stream is cancelled", async () => {
  const given = new AbortController();
  let isClosed = false;
  async function* talking() {
    try {
      for (let count = 1; ; count++) yield count;
    } finally {
      isClosed = true;
    }
  }
  const heard: number[] = [];
  for await (const part of untilAborted(talking(), given.signal)) {
    heard.push(part);
    if (part === 2) given.abort();
  }
  expect(heard).toEqual([1, 2]);
  expect(isClosed).toBe(true);
});

test("a stream that ends or fails by itself ends or fails for its reader", async () => {
  const { signal } = new AbortController();
  async function* failing() {
    yield 1;
    throw new Error("reset");
  }
  const read = async () => {
    for await (const _ of untilAborted(failing(), signal));
  };
  await expect(read()).rejects.toThrow("reset");
});
