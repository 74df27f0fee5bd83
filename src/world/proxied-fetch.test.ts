import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { proxiedFetch } from "./proxied-fetch.ts";

test("a request goes by the proxy that is named, streams back, and directly to this machine", async () => {
  const asked: string[] = [];
  const model = await listening(
    createServer((request, response) => {
      asked.push(`${request.method} ${request.headers.host}${request.url} ${request.headers["x-key"]}`);
      response.write("one ");
      response.end("two");
    }),
  );
  const tunnels: string[] = [];
  const proxy = createServer().on("connect", (request, client) => {
    tunnels.push(request.url ?? "");
    const server = connect(model, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    server.pipe(client).on("error", () => server.destroy());
    client.pipe(server).on("error", () => client.destroy());
  });
  const fetch = proxiedFetch({ HTTP_PROXY: `127.0.0.1:${await listening(proxy)}` });
  const there = await fetch("http://models.test/v1", {
    method: "POST",
    headers: { "x-key": "k" },
    body: "{}",
  });
  expect(await there.text()).toBe("one two");
  const here = await fetch(`http://127.0.0.1:${model}/v1`);
  expect(await here.text()).toBe("one two");
  expect(tunnels).toEqual(["models.test:80"]);
  expect(asked).toEqual(["POST models.test/v1 k", `GET 127.0.0.1:${model}/v1 undefined`]);
});

test("a proxy that refuses fails the request", async () => {
  const proxy = createServer().on("connect", (_request, client) => {
    client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const fetch = proxiedFetch({ ALL_PROXY: `http://127.0.0.1:${await listening(proxy)}` });
  await expect(fetch("http://models.test/v1")).rejects.toThrow("fetch failed");
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
