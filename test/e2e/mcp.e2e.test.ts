/** The real program, called by the protocol's own client over both transports, in both eras. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clientOf, eras, httpTransport } from "../mcp/clients.ts";
import { folderWith } from "./folder.ts";
import { loadedModules } from "./loaded-modules.ts";
import { connect, startHttp, stdioTransport, transports } from "./mcp-server.ts";
import { cox, program } from "./program.ts";

const files = { ".coxswain/docs/api/auth.md": "# Auth\n\n## Login\n\nWith a token.\n" };

const variants = eras.flatMap((era) => transports.map((over) => [era, over] as const));

test.for(variants)(
  "%s over %s: the MCP server introduces itself, lists and reads, and the client can disconnect",
  async ([era, over]) => {
    const folder = folderWith(files);
    const client = clientOf(era);
    await connect(client, over, { folder });
    expect(client.getServerVersion()).toMatchObject({ name: "coxswain" });
    expect(client.getInstructions()).toContain("start_coordinator_task");
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("tdd-incremental-orchestration");
    const { contents } = await client.readResource({ uri: "cox://docs/api/auth.md#login" });
    expect(contents).toMatchObject([{ text: "## Login\n\nWith a token.\n" }]);
    await client.close();
  },
);

test("the default list of MCP tools is below 16 kB, so every conversation can afford it", async () => {
  const folder = folderWith();
  const lines = [initialize, { method: "notifications/initialized" }, { id: 2, method: "tools/list" }];
  const { stdout } = await cox(["mcp"], { cwd: folder, stdin: spoken(lines) });
  const answer = stdout.split("\n").find((line) => line.includes('"id":2')) ?? "";
  expect(answer).not.toBe("");
  expect(Buffer.byteLength(answer)).toBeLessThan(16_000);
});

test("MCP-23 cox mcp writes only messages to stdout, whatever is sent, and shows no stack", async () => {
  const folder = folderWith(files);
  const call = (id: unknown, name: unknown, given: unknown) => ({
    id,
    method: "tools/call",
    params: { name, arguments: given },
  });
  const stdin = [
    spoken([{ id: 0, method: "tools/list" }, initialize, { method: "notifications/initialized" }]),
    "no JSON\n",
    `${"[".repeat(100_000)}\n`,
    spoken([
      call(2, "browse_documents", { nonsense: true }),
      call(3, "nothing", {}),
      call(null, "x", {}),
      call(4, 5, {}),
      { id: 5, method: "resources/read", params: { uri: "cox://docs/none.md" } },
      { id: 6, method: "resources/read" },
      { id: 7, method: "completion/complete", params: { ref: 1 } },
      { id: 8, method: "logging/setLevel", params: { level: "loud" } },
      { method: "notifications/progress", params: { progressToken: 99, progress: 1 } },
      { id: 99, result: { unasked: true } },
    ]),
    `${"x".repeat(11_000_000)}\n`,
    spoken([{ id: 9, method: "ping" }]),
  ].join("");
  const { exitCode, stdout, stderr } = await cox(["mcp"], { cwd: folder, stdin });
  expect(exitCode).toBe(0);
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const message of messages) expect(message).toMatchObject({ jsonrpc: "2.0" });
  expect(messages.map(({ id }) => id)).toContain(9);
  expect(messages.flatMap(({ error }) => (error ? [error.data.code] : []))).toEqual(
    expect.arrayContaining(["MCP_STATE", "JSON_SYNTAX", "JSON_TOO_DEEP", "MCP_BAD_ID", "LIMIT_LINE"]),
  );
  for (const { error } of messages)
    if (error) expect(error.data).toMatchObject({ code: expect.any(String), hint: expect.any(String) });
  expect(`${stdout}${stderr}`).not.toMatch(/\bat .*\.js:\d+/);
});

test.for(["SIGTERM", "SIGINT"] as const)(
  "%s ends cox mcp cleanly while a client is connected",
  async (signal) => {
    const { child, ended } = startWaiting(folderWith(files));
    child.stdin?.write(spoken([initialize]));
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill(signal);
    expect(await ended).toBe(0);
  },
);

test("cox mcp ends when its client goes without a word", async () => {
  const { child, ended } = startWaiting(folderWith(files));
  child.stdin?.end();
  expect(await ended).toBe(0);
});

test("cox mcp over HTTP ends cleanly with a session and a stream open", async () => {
  const served = await startHttp(folderWith(files));
  const client = clientOf("2025-11-25");
  await client.connect(httpTransport(served.url, served.token));
  await client.listTools();
  const { exitCode, stdout } = await served.stop();
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
});

test("every token of a token file is accepted by cox mcp, has its own sessions, and is not printed", async () => {
  const folder = folderWith(files);
  const [one, other] = ["first-client-0123456789", "second-client-0123456789"];
  writeFileSync(join(folder, "tokens"), `${one}\n\n${other}\n`);
  const { url, said } = await startHttp(folder, ["--token-file", "tokens"]);
  for (const token of [one, other]) {
    const client = clientOf("2026-07-28");
    await client.connect(httpTransport(url, token ?? ""));
  }
  expect(said()).not.toContain("0123456789");
  await expect(clientOf("2026-07-28").connect(httpTransport(url, "x".repeat(20)))).rejects.toThrow();
});

test.for([
  [["mcp", "--tools", "tasks,docs"], 2, "tasks, documents, files, run"],
  [["mcp", "--port", "1"], 2, "--http"],
  [["mcp", "--http", "--port", "99999"], 2, "65535"],
  [["mcp", "--http", "--token-file", "missing"], 2, "openssl rand"],
  [["mcp", "--http", "--token-file", "weak"], 2, "16 characters"],
  [["mcp", "more"], 2, ""],
] as const)("cox %s is refused with what to type", async ([args, code, hint]) => {
  const ended = await cox(args, { cwd: folderWith({ weak: "hunter2\n" }) });
  expect(ended).toMatchObject({ exitCode: code, stdout: "" });
  expect(ended.stderr).toContain(hint);
});

test("cox mcp reports a port that is taken, with exit 5", async () => {
  const folder = folderWith(files);
  const { url } = await startHttp(folder);
  const { port } = new URL(url);
  const ended = await cox(["mcp", "--http", "--port", port], { cwd: folder });
  expect(ended).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("--port") });
});

test("cox mcp offers only the groups of tools that were asked for", async () => {
  const lines = [initialize, { method: "notifications/initialized" }, { id: 2, method: "tools/list" }];
  const { stdout } = await cox(["mcp", "--tools", "run"], { cwd: folderWith(), stdin: spoken(lines) });
  expect(stdout).not.toContain("browse_documents");
});

test("cox mcp changes nothing in a folder that clients only read", async () => {
  const folder = folderWith({ "a.txt": "x" });
  const client = clientOf("2025-11-25");
  await client.connect(stdioTransport({ folder }));
  await client.listResources();
  await client.close();
  expect(existsSync(join(folder, ".coxswain"))).toBe(false);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("x");
});

test.for([["status"], ["apply"], ["doctor"]])(
  "cox %s loads no module of the MCP protocol",
  ([command = ""]) => {
    const loaded = loadedModules([program, command, "--root", folderWith()]);
    expect(loaded.filter((path) => path.includes("modelcontextprotocol"))).toEqual([]);
  },
);

const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function spoken(messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}

/** Starts it with its input left open. */
function startWaiting(folder: string) {
  const child = spawn(process.execPath, [program, "mcp"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended };
}
