import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { certificateFor } from "../../../test/certificate.ts";
import { tunnellingProxy } from "../../../test/tunnelling-proxy.ts";
import { proxiedFetch } from "./proxied-fetch.ts";

test("a request goes by the proxy that is named, streams back, and directly to this machine", async () => {
  const asked: string[] = [];
  const port = await modelThat((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url} ${request.headers["x-key"]}`);
    response.write("one ");
    response.end("two");
  });
  const proxy = await tunnellingProxy(port);
  const fetch = proxiedFetch({ HTTP_PROXY: proxy.address });
  const headers = { "x-key": "k" };
  const there = await fetch("http://models.test/v1", { method: "POST", headers, body: "{}" });
  expect(await there.text()).toBe("one two");
  const here = await fetch(`http://127.0.0.1:${port}/v1`);
  expect(await here.text()).toBe("one two");
  expect(proxy.asked).toEqual([expect.stringMatching(/^models\.test:80 /)]);
  expect(proxy.asked.join()).not.toContain("x-key");
  expect(asked).toEqual(["POST models.test/v1 k", `GET 127.0.0.1:${port}/v1 undefined`]);
});

test("a redirect is refused through a proxy as it is without one, if the caller allows none", async () => {
  const port = await modelThat((_request, response) => {
    response.writeHead(302, { location: "http://elsewhere.test/" }).end();
  });
  const proxy = await tunnellingProxy(port);
  const fetch = proxiedFetch({ HTTP_PROXY: proxy.address });
  for (const address of ["http://models.test/v1", `http://127.0.0.1:${port}/v1`])
    await expect(fetch(address, { redirect: "error" })).rejects.toThrow("fetch failed");
  expect((await fetch("http://models.test/v1")).status).toBe(302);
  expect(proxy.asked).toHaveLength(2);
});

test("inside the proxy's tunnel the host is checked against its certificate", async ({ skip }) => {
  const certificate =
    certificateFor("models.test") ?? skip("openssl, which makes a certificate, is not there");
  const port = await listening(
    createTlsServer(certificate, (_request, response) => void response.end("said")),
  );
  const fetch = proxiedFetch({ HTTPS_PROXY: (await tunnellingProxy(port)).address });
  await expect(fetch("https://models.test/v1")).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
  });
});

test.each([
  ["http://127.0.0.1:", undefined],
  ["http://ana:p%40ss@127.0.0.1:", `Basic ${Buffer.from("ana:p@ss").toString("base64")}`],
])(
  "a proxy at %s that refuses fails the request, and is sent the credentials of its address",
  async (address, authorization) => {
    const heard: unknown[] = [];
    const proxy = createServer().on("connect", (request, client) => {
      heard.push(request.headers["proxy-authorization"]);
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    const fetch = proxiedFetch({ ALL_PROXY: `${address}${await listening(proxy)}` });
    await expect(fetch("https://models.test/v1")).rejects.toMatchObject({
      message: "fetch failed",
      cause: { message: expect.stringMatching(/^the proxy 127.* refused models\.test:443 with status 407$/) },
    });
    expect(heard).toEqual([authorization]);
  },
);

test("a request through a proxy can be aborted before the tunnel is there, and in mid-answer", async () => {
  const silent = await listening(createServer().on("connect", () => {}));
  const late = { signal: AbortSignal.timeout(50) };
  const mute = proxiedFetch({ ALL_PROXY: `http://127.0.0.1:${silent}` });
  await expect(mute("http://models.test/v1", late)).rejects.toMatchObject({ name: "TimeoutError" });

  const proxy = await tunnellingProxy(await modelThat((_request, response) => void response.write("half ")));
  const given = new AbortController();
  const fetch = proxiedFetch({ ALL_PROXY: proxy.address });
  const { body } = await fetch("http://models.test/v1", { signal: given.signal });
  const reader = body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("half ");
  given.abort();
  await expect(reader?.read()).rejects.toThrow();
});

function modelThat(answer: RequestListener): Promise<number> {
  return listening(createServer(answer));
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
