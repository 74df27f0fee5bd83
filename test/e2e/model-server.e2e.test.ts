/** The scripted model, served by the real program. */
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "./folder.ts";
import { cox, start } from "./program.ts";

const script = `
conversations:
  main:
    steps:
      - { tool: look, input: { at: a.txt } }
      - text: done
`;

/** Its address, once it has printed it. */
async function served(args: readonly string[], cwd: string, stdin = "") {
  const { child, ended } = start(["model-server", ...args], { cwd, stdin });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [first] = await Promise.race([
    once(child.stdout ?? child, "data"),
    ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return { child, ended, told: String(first) };
}

async function ask(url: string) {
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-secret" },
    body: JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "hello\u001b[2J" }],
      tools: [{ name: "mcp__x__look" }],
    }),
  });
  return (await response.json()) as { content: readonly object[] };
}

test("cox model-server prints its address, plays the script, logs each request, and ends with Ctrl-C: exit 0", async () => {
  const cwd = folderWith({ "talk.yaml": script });
  const { child, ended, told } = await served(["--script", "talk.yaml", "--log", "asked.jsonl"], cwd);
  const url = told.trim();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await ask(url)).content).toMatchObject([{ name: "mcp__x__look", input: { at: "a.txt" } }]);
  child.kill("SIGINT");
  const { exitCode, stderr } = await ended;
  expect(exitCode).toBe(0);
  expect(stderr).toContain("1 request answered");
  const log = readFileSync(join(cwd, "asked.jsonl"), "utf8");
  expect(
    log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { format: "anthropic", conversation: "main", turn: 0, turns: [{ text: "hello\u001b[2J" }] },
  ]);
  expect(log).not.toContain("sk-secret");
  expect(log).not.toContain("\u001b");
  expect(statSync(join(cwd, "asked.jsonl")).mode & 0o077).toBe(0);
});

test("cox model-server reads the script from stdin, and prints the address as JSON", async () => {
  const { child, ended, told } = await served(["--script", "-", "--json"], folderWith(), script);
  const { ok, url } = JSON.parse(told);
  expect(ok).toBe(true);
  expect((await ask(url)).content).toHaveLength(1);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ exitCode: 0, stderr: "" });
});

test.for([
  ["no script", [], "cox model-server --script FILE"],
  ["a script that is not there", ["--script", "lost.yaml"], "lost.yaml does not exist"],
  ["a script with a mistake", ["--script", "bad.yaml"], 'Did you mean "text"?'],
  ["a port that is none", ["--script", "talk.yaml", "--port", "99999"], "from 0 to 65535"],
  ["a log in no folder", ["--script", "talk.yaml", "--log", "no/where.jsonl"], "ENOENT"],
] as const)("cox model-server refuses %s with what to type: exit 2", async ([, args, words]) => {
  const cwd = folderWith({
    "talk.yaml": script,
    "bad.yaml": "conversations: { a: { steps: [{ txt: a }] } }",
  });
  const { exitCode, stdout, stderr } = await cox(["model-server", ...args], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(words);
});

test("cox model-server refuses a port that is taken: exit 2", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => {
    other.close();
  });
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const cwd = folderWith({ "talk.yaml": script });
  const args = ["model-server", "--script", "talk.yaml", "--port", String(port)];
  const { exitCode, stderr } = await cox(args, { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`port ${port} is not available: another program listens there`);
});
