import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import type { HttpAnswer, HttpRequest } from "./loopback-server.ts";
import { nodeLoopbackServers } from "./node-loopback-server.ts";

async function listening(serve: (request: HttpRequest, answer: HttpAnswer) => void, port = 0) {
  const server = await nodeLoopbackServers.listen(port, async (request, answer) => serve(request, answer));
  onTestFinished(() => server.close());
  return { server, url: `http://127.0.0.1:${server.port}` };
}

test("a request to the loopback server arrives whole, and an answer as it was written", async () => {
  const { url } = await listening(({ method, path, query, headers, body }, answer) => {
    answer.begin(201, { "x-told": "yes" });
    answer.write(`${method} ${path} ${query.get("a")} `);
    answer.end(`${headers["x-asked"]} ${new TextDecoder().decode(body)}`);
  });
  const response = await fetch(`${url}/p/q?a=1`, { method: "POST", headers: { "x-asked": "so" }, body: "ä" });
  expect(response.status).toBe(201);
  expect(response.headers.get("x-told")).toBe("yes");
  expect(await response.text()).toBe("POST /p/q 1 so ä");
});

test("the loopback server cannot be reached from another machine", async ({ skip }) => {
  const { server } = await listening((_, answer) => answer.end());
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  if (!outward) return skip("this machine has no address but its own");
  await expect(fetch(`http://${outward.address}:${server.port}/`)).rejects.toThrow(/fetch failed/);
});

test("a port that is taken is reported by its errno", async () => {
  const { server } = await listening((_, answer) => answer.end());
  await expect(listening((_, answer) => answer.end(), server.port)).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});

test("a dropped connection brings what was written before, and then breaks", async () => {
  const { url } = await listening((_, answer) => {
    answer.begin(200, { "content-length": "100" });
    answer.write("half");
    answer.drop();
  });
  const reader = (await fetch(url)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("half");
  await expect(reader?.read()).rejects.toThrow();
});

test("the loopback server's handler hears when the client has gone", async () => {
  let heard: (() => void) | undefined;
  const gone = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const { url } = await listening((_, answer) => answer.gone.addEventListener("abort", () => heard?.()));
  await expect(fetch(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  await gone;
});
