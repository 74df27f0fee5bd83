/**
 * The contract of every format of the model server, tested over HTTP as a client would. Each format supplies the few
 * lines that write a request and read a reply.
 */
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "../std/canonical-json.ts";
import { nodeChance } from "../world/chance.ts";
import { nodeLoopbackServers } from "../world/network/node-loopback-server.ts";
import type { FormatName } from "./model-request.ts";
import type { ModelScript, ModelStep } from "./script.ts";
import { ModelServer } from "./server.ts";

export interface Speaker {
  readonly name: FormatName;
  path(stream: boolean): string;
  body(asking: WireRequest): Json;
  /** Undefined where it is not complete. */
  readWhole(body: Json): WireAnswer;
  readStream(frames: readonly Json[]): WireAnswer | undefined;
  /** The result of a call as the next request contains it: the model's turn and the user's. */
  result(call: WireToolCall, text: string): Json[];
  errorOf(body: Json): { readonly message: unknown; readonly type: unknown };
  /** The header or field with the seconds until the next try. */
  retrySeconds(headers: Headers, body: Json): unknown;
  /** The error type for too many requests. */
  readonly rateLimited: string;
}

export interface WireRequest {
  readonly system: string;
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly stream: boolean;
  readonly since?: readonly Json[];
}

export interface WireToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

export interface WireAnswer {
  readonly text: string;
  readonly calls: readonly WireToolCall[];
  readonly usage: { readonly input: number; readonly output: number };
}

const at = Date.UTC(2026, 0, 1);

export function wireFormatContract(speaker: Speaker): void {
  for (const stream of [false, true]) {
    const how = `${speaker.name}, ${stream ? "streamed" : "in one piece"}`;
    const base: WireRequest = { system: "Be brief.", prompt: "Hello", tools: ["Read", "x__Write"], stream };

    test(`${how}: a text arrives as it was scripted, character by character, with its usage`, async () => {
      const said = 'A "quoted" line,\nand another – with 😀 and \\ in it: long enough for several pieces.';
      const { ask } = await serving(speaker, [{ text: said, usage: { input: 7, output: 3, cacheRead: 5 } }]);
      const { status, heard } = await ask(base);
      expect(status).toBe(200);
      expect(heard).toMatchObject({ text: said, calls: [], usage: { output: 3 } });
    });

    test(`${how}: tools are called by the names that are offered, with their input, and the loop goes on`, async () => {
      const input = { path: "a.txt", deep: [1, { b: null }] };
      const steps = [{ text: "I look.", tool: "Read", input }, { tool: "Write" }, { text: "done" }];
      const { ask, server } = await serving(speaker, steps);
      const first = (await ask(base)).heard;
      expect(first).toMatchObject({ text: "I look.", calls: [{ name: "Read", input }] });
      const [read = noCall] = first?.calls ?? [];
      const since = speaker.result(read, "what is in it");
      const second = (await ask({ ...base, since })).heard;
      expect(second?.calls).toMatchObject([{ name: "x__Write", input: {} }]);
      const [write = noCall] = second?.calls ?? [];
      const third = (await ask({ ...base, since: [...since, ...speaker.result(write, "written")] })).heard;
      expect(third).toMatchObject({ text: "done", calls: [] });
      expect(server.seen.map(({ turn }) => turn)).toEqual([0, 1, 2]);
      expect(read.id).not.toBe(write.id);
    });

    test(`${how}: the request is kept, in the same form for every format`, async () => {
      const { ask, server } = await serving(speaker, [{ text: "done" }]);
      await ask({ ...base, since: speaker.result({ id: "c1", name: "Read", input: { path: "a" } }, "held") });
      expect(server.seen).toMatchObject([
        {
          format: speaker.name,
          model: "scripted",
          stream,
          system: "Be brief.",
          tools: [{ name: "Read" }, { name: "x__Write" }],
          turns: [
            { role: "user", text: "Hello", results: [] },
            { role: "assistant", calls: [{ name: "Read", input: { path: "a" } }] },
            { role: "user", text: "", results: [{ text: "held" }] },
          ],
          at,
          conversation: "main",
        },
      ]);
    });

    test(`${how}: several tools at once are several calls of one turn`, async () => {
      const tools = [
        { tool: "Read", input: { n: 1 } },
        { tool: "Read", input: { n: 2 } },
      ];
      const { ask } = await serving(speaker, [{ tools }, { text: "done" }]);
      const { heard } = await ask(base);
      expect(heard?.calls.map(({ input }) => input)).toEqual([{ n: 1 }, { n: 2 }]);
      expect(new Set(heard?.calls.map(({ id }) => id)).size).toBe(2);
    });

    test(`${how}: a failure has its status, its words, its type and its headers`, async () => {
      const step = { status: 401, error: "no such key", headers: { "x-told": "yes" } };
      const { ask } = await serving(speaker, [step]);
      const { status, headers, body } = await ask(base);
      expect(status).toBe(401);
      expect(headers.get("x-told")).toBe("yes");
      expect(speaker.errorOf(JSON.parse(body)).message).toBe("no such key");
      expect(speaker.errorOf(JSON.parse(body)).type).toEqual(expect.any(String));
    });

    test(`${how}: a rate limit tells when to ask again, and ends after its number of times`, async () => {
      const { ask } = await serving(speaker, [
        { rateLimit: { resetSeconds: 90 }, times: 2 },
        { text: "at last" },
      ]);
      const { status, headers, body } = await ask(base);
      expect(status).toBe(429);
      expect(speaker.errorOf(JSON.parse(body)).type).toBe(speaker.rateLimited);
      expect(String(speaker.retrySeconds(headers, JSON.parse(body)))).toBe("90");
      expect((await ask(base)).status).toBe(429);
      expect((await ask(base)).heard?.text).toBe("at last");
    });

    test.for(["a text that is cut somewhere", "short"])(
      `${how}: an answer that stops in its middle is never taken for a whole one: %s`,
      async (said) => {
        const { ask } = await serving(speaker, [{ text: said, truncate: true }]);
        const { status, heard, isCut } = await ask(base);
        expect(status).toBe(200);
        expect(heard).toBeUndefined();
        // A cut stream ends normally and is recognised by its missing last frame; a whole answer, by its length.
        expect(isCut).toBe(!stream);
      },
    );

    test(`${how}: a dropped connection is no answer`, async () => {
      const { ask } = await serving(speaker, [{ drop: true }]);
      await expect(ask(base)).rejects.toThrow(/fetch failed/);
    });

    test.for(["before", "midway"] as const)(
      `${how}: a hang (%s) lasts until the client leaves`,
      async (hang) => {
        const { ask, server } = await serving(speaker, [{ text: "never heard to its end", hang }]);
        const patience = AbortSignal.timeout(150);
        const { heard, isCut } = await ask(base, patience).catch(() => ({ heard: undefined, isCut: true }));
        expect({ heard, isCut }).toEqual({ heard: undefined, isCut: true });
        expect(patience.aborted).toBe(true);
        expect(server.seen).toHaveLength(1);
      },
    );

    test(`${how}: a request that no conversation fits is refused, with the reason`, async () => {
      const { ask } = await serving(speaker, [{ text: "x" }], { when: { prompt: "something else" } });
      const { status, body } = await ask(base);
      expect(status).toBe(400);
      expect(speaker.errorOf(JSON.parse(body)).message).toContain("no conversation");
    });
  }

  test(`${speaker.name}: a body that is no JSON is refused in the format's own words`, async () => {
    const { server } = await serving(speaker, [{ text: "x" }]);
    const response = await fetch(server.url + speaker.path(false), { method: "POST", body: "{" });
    expect(response.status).toBe(400);
    expect(speaker.errorOf((await response.json()) as Json).message).toBe("the body is not JSON");
  });

  test.for(["null", "[]", "1", '{"messages":3,"input":{"a":[]},"contents":"x","tools":{}}'])(
    `${speaker.name}: a body of another shape is read without complaint: %s`,
    async (body) => {
      const { server } = await serving(speaker, [{ text: "x" }]);
      const response = await fetch(server.url + speaker.path(false), { method: "POST", body });
      expect(response.status).toBe(200);
    },
  );
}

const noCall: WireToolCall = { id: "", name: "", input: {} };

async function serving(speaker: Speaker, steps: readonly ModelStep[], about: Partial<Conversation> = {}) {
  const script = { conversations: { main: { ...about, steps: [...steps] } } };
  const world = { servers: nodeLoopbackServers, clock: { now: () => at }, chance: nodeChance };
  const server = await ModelServer.start(world, { script });
  onTestFinished(() => server.close());
  const ask = async (asking: WireRequest, signal?: AbortSignal) => {
    const response = await fetch(server.url + speaker.path(asking.stream), {
      method: "POST",
      body: JSON.stringify(speaker.body(asking)),
      ...(signal ? { signal } : {}),
    });
    const { text: body, isCut } = await readAll(response);
    const { status, headers } = response;
    return { status, headers, body, isCut, heard: status === 200 && !isCut ? hear(body, asking) : undefined };
  };
  const hear = (body: string, { stream }: WireRequest) =>
    stream ? speaker.readStream(frames(body)) : speaker.readWhole(JSON.parse(body));
  return { server, ask };
}

type Conversation = NonNullable<ModelScript["conversations"]>[string];

async function readAll(response: Response): Promise<{ text: string; isCut: boolean }> {
  let text = "";
  try {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, isCut: false };
  } catch {
    return { text, isCut: true };
  }
}

/** `[DONE]` is not JSON and is returned as it is. */
function frames(body: string): Json[] {
  return body
    .split("\n\n")
    .flatMap((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? [])
    .map((data) => (data === "[DONE]" ? data : JSON.parse(data)));
}
