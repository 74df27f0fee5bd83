/** The turn server, called by the protocol's own client, and by an agent of a run that is started with it. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { serverOfTurn } from "../../src/runtime/acts/served-turn.ts";
import { handedInName } from "../../src/runtime/folder/scratch.ts";
import { clientOf, eras } from "../mcp/clients.ts";
import { folderWith } from "./folder.ts";
import { cox, program } from "./program.ts";
import { RunWorld } from "./run-world.ts";
import { withoutSandbox } from "./without-sandbox.ts";

const create = (path: string, content: string) => ({
  operation: "create",
  file_path: path,
  description: "as the task says",
  content,
});

test.for(eras)(
  "%s: the tools of a turn accept operations and the reply, and say what is wrong with them",
  async (era) => {
    const folder = folderWith({ "desk/there.txt": "words\n" });
    const scratch = join(folder, "scratch");
    mkdirSync(scratch);
    const { environment } = serverOfTurn([process.execPath, program, "turn-server"], {
      ...{
        turn: "t1",
        task: "users",
        role: "developer",
        mode: "proposal",
        scratch,
        desk: join(folder, "desk"),
      },
      rules: { confirmDeletes: "ask", writes: [] },
    });
    const client = clientOf(era);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, "turn-server"],
        env: { ...environment, PATH: process.env.PATH ?? "" },
      }),
    );
    expect(client.getInstructions()).toContain("submit_reply");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["propose_operations", "submit_reply"]);
    const call = (name: string, given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given });
    expect(await call("propose_operations", { operations: [create("there.txt", "x")] })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "OPS_EXISTS", hint: expect.any(String) } },
    });
    expect(await call("propose_operations", { operations: [create("new.txt", "x")] })).toMatchObject({
      content: [{ text: expect.stringContaining("Accepted") }],
    });
    expect(await call("submit_reply", { signal: "READY FOR AUDIT: users" })).not.toHaveProperty(
      "isError",
      true,
    );
    await expect(call("apply_file_operations", {})).rejects.toThrow("no tool");
    await client.close();
    expect(readFileSync(join(scratch, handedInName), "utf8")).toContain("new.txt");
  },
);

test("cox turn-server refuses to start outside a turn, and is not in the help", async () => {
  const folder = folderWith();
  const { exitCode, stdout, stderr } = await cox(["turn-server"], { cwd: folder, env: { COX_TURN: "" } });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain("TURN_OUTSIDE");
  const names = ["COX_TURN", "COX_TASK", "COX_ROLE", "COX_DESK", "COX_RULES", "COX_REPLY_FILE"];
  const nonsense = Object.fromEntries(names.map((name) => [name, "nonsense"]));
  const misled = await cox(["turn-server"], { cwd: folder, env: nonsense });
  expect(misled).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("TURN_OUTSIDE") });
  expect((await cox(["--help"], { cwd: folder })).stdout).not.toContain("turn-server");
});

/** Speaks the protocol itself, as any program could. */
const speaks = `
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
readFileSync(0);
const { COX_TURN_SERVER, COX_TASK: task, COX_TURN: turn, COX_ROLE: role } = process.env;
const [command, ...args] = JSON.parse(COX_TURN_SERVER);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message.result);
});
let id = 0;
const ask = (method, params) => new Promise((resolve) => {
  id += 1;
  waiting.set(id, resolve);
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\\n");
});
const call = (name, given) => ask("tools/call", { name, arguments: given });
const create = (path, content) => ({ operation: "create", file_path: path, description: "as the task says", content });
await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "agent", version: "1" } });
server.stdin.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) + "\\n");
const leave = () => new Promise((gone) => { server.once("close", gone); server.stdin.end(); });
`;

const proposes = `${speaks}
try { writeFileSync("by-hand.txt", ""); console.log("it could be written"); } catch (error) { console.log(error.code); }
const wrong = await call("propose_operations", { operations: [create("none/../../out.txt", "x")] });
console.log(wrong.isError, wrong.structuredContent.error.code);
await call("propose_operations", { operations: [create("a.txt", "of " + turn + "\\n")] });
if (process.argv[2] === "dies" && turn.endsWith(".1")) process.kill(process.pid, "SIGKILL");
await call("submit_reply", { specialist_summary: "Through the tools.", signal: "READY FOR AUDIT: " + task });
console.log("READY FOR AUDIT: some-other-task");
await leave();
`;

const judges = `${speaks}
const { tools } = await ask("tools/list", {});
console.log(tools.map(({ name }) => name).join());
await call("submit_reply", { verdict: "PASS", summary: "Seen.", evidence: [{ criterion: "all", evidence: "a.txt" }] });
await leave();
`;

function world(...args: readonly string[]): RunWorld {
  const folder = folderWith({ "proposes.mjs": proposes, "judges.mjs": judges });
  const words = ["node", join(folder, "proposes.mjs"), ...args].join(", ");
  return new RunWorld({
    plan: "---\nverify: test -f a.txt\n---\n# Plan\n\n## Tasks\n\n- [ ] Write a\n",
    agents: {},
    config: [
      "agents:",
      `  ada: { role: developer, works: proposal, command: [${words}] }`,
      `  tess: { profile: auditor, command: [node, ${join(folder, "judges.mjs")}] }`,
      "roles: { auditor: [tess] }",
      "",
    ].join("\n"),
  });
}

const kept = (run: RunWorld, turn: string, name: string) => run.read(run.path(`turns/${turn}/${name}`));

test("a reply that an agent hands in through its turn's server counts, and what it printed is kept beside it", async () => {
  const run = world();
  const { exitCode, stdout, stderr } = await run.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stdout + stderr + run.logText()).toBe(0);
  const [turn = "", audit = ""] = run.eventsOf("agent_complete").map((event) => String(event.turn));
  expect(run.show("a.txt")).toBe(`of ${turn}`);
  expect(kept(run, turn, "reply.txt")).toMatch(/^```\w+\n\{\n.*"Through the tools\."/s);
  expect(kept(run, turn, "printed.txt")).toBe("EROFS\ntrue PATH_DOTDOT\nREADY FOR AUDIT: some-other-task\n");
  expect(kept(run, audit, "reply.txt")).toContain('"PASS"');
  expect(kept(run, audit, "printed.txt")).toBe("submit_reply\n");
  expect(run.processes()).toEqual([]);
});

test("without a sandbox, what a proposing agent writes at its desk is reported and undone", async ({
  skip,
}) => {
  const under = withoutSandbox() ?? skip("a machine without a sandbox cannot be had here");
  const run = world();
  const { exitCode, stdout, stderr } = await run.with({ under }).cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stdout + stderr + run.logText()).toBe(0);
  const [turn = ""] = run.eventsOf("agent_complete").map((event) => String(event.turn));
  expect(kept(run, turn, "printed.txt")).toContain("it could be written");
  expect(run.logText()).toContain("AGENT_WROTE");
  expect(run.git("ls-tree", "--name-only", run.branch)).not.toContain("by-hand.txt");
  expect(run.show("a.txt")).toBe(`of ${turn}`);
});

test("an agent that is killed has not replied, though what it handed in is kept for inspection", async () => {
  const run = world("dies");
  const { exitCode, stdout, stderr } = await run.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stdout + stderr + run.logText()).toBe(0);
  const [first] = run.eventsOf("agent_crashed");
  expect(first).toMatchObject({ code: "AGENT_SIGNAL" });
  expect(kept(run, String(first?.turn), "reply.txt")).toContain(`of ${first?.turn}`);
  expect(run.show("a.txt")).not.toBe(`of ${first?.turn}`);
  expect(run.processes()).toEqual([]);
});
