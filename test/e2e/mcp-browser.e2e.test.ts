/** A page of another site, in a real browser, against the real program: it can neither read nor do anything. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, chromium as playwright } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { post } from "../mcp/http-peer.ts";
import { browserArguments, type UnpackedBrowser, unpackBrowser } from "./browser.ts";
import { folderWith } from "./folder.ts";
import { startHttp } from "./mcp-server.ts";

let unpacked: UnpackedBrowser;
/** A temporary folder in which somebody else has already unpacked a browser. */
const shared = mkdtempSync(join(tmpdir(), "cox-shared-"));
const foreign = ["chromium", "fonts", "libGLESv2.so"];

beforeAll(async () => {
  for (const name of foreign) writeFileSync(join(shared, name), "#!/bin/sh\n", { mode: 0o755 });
  vi.stubEnv("TMPDIR", shared);
  unpacked = await unpackBrowser().finally(() => vi.unstubAllEnvs());
});

afterAll(() => {
  unpacked.remove();
  rmSync(shared, { recursive: true });
});

test("a browser that somebody else left in the temporary folder is not started", () => {
  expect(unpacked.executablePath).not.toBe(join(shared, "chromium"));
  expect(statSync(unpacked.executablePath)).toMatchObject({ uid: process.getuid?.(), mode: 0o100700 });
  for (const name of foreign) expect(readFileSync(join(shared, name), "utf8")).toBe("#!/bin/sh\n");
});

test("a web page cannot reach the MCP server, not even with the token", async () => {
  const { url, token } = await startHttp(folderWith({ ".coxswain/docs/secret.md": "# Secret\n" }));
  const page = await pageOfAnotherSite();
  const greeting = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "page", version: "1" } },
  });
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const authorization = `Bearer ${token}`;
  const tries: readonly RequestInit[] = [
    { method: "POST", headers: { ...json, authorization }, body: greeting },
    { method: "POST", headers: json, body: greeting },
    { method: "GET", headers: { authorization, accept: "text/event-stream" } },
    // What a browser sends without a preflight request.
    { method: "POST", headers: { "content-type": "text/plain" }, body: greeting },
    { method: "POST", mode: "no-cors", body: greeting },
    { method: "GET", mode: "no-cors" },
  ];
  for (const init of tries) {
    const got = await page.evaluate(
      async ([address, how]) => {
        try {
          const response = await fetch(address as string, how as RequestInit);
          return { type: response.type, text: await response.text() };
        } catch (error) {
          return { type: "refused", text: String(error) };
        }
      },
      [url, init] as const,
    );
    // Opaque: the page learns nothing, not even the status.
    expect(["refused", "opaque"]).toContain(got.type);
    expect(got.text).not.toContain("coxswain");
    expect(got.text).not.toContain("HTTP_");
  }
  const { port } = new URL(url);
  const headers = { authorization, origin: "http://localhost:1" };
  expect(await post(Number(port), { body: greeting, headers })).toMatchObject({ status: 403 });
  expect((await post(Number(port), { body: greeting, headers: { authorization } })).status).toBe(200);
});

test("the same web page does reach a server that does not check the origin", async () => {
  const heard: IncomingMessage[] = [];
  const open = createServer((request, out) => {
    heard.push(request);
    out.writeHead(200, {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
      "content-type": "application/json",
    });
    out.end('"coxswain"');
  });
  onTestFinished(() => void open.close());
  await new Promise<void>((resolve) => open.listen(0, "127.0.0.1", resolve));
  const { port } = open.address() as AddressInfo;
  const page = await pageOfAnotherSite();
  const text = await page.evaluate(
    async (address) => (await fetch(address)).text(),
    `http://127.0.0.1:${port}/`,
  );
  expect(text).toBe('"coxswain"');
  expect(heard[0]?.headers.origin).toMatch(/^http:\/\/localhost:\d+$/);
});

async function pageOfAnotherSite(): Promise<Page> {
  const site = createServer((_request, out) => {
    out.writeHead(200, { "content-type": "text/html" });
    out.end("<!doctype html><title>Another site</title>");
  });
  onTestFinished(() => void site.close());
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const browser = await playwright.launch({
    executablePath: unpacked.executablePath,
    args: [...browserArguments],
    headless: true,
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  return page;
}
