/** Setting up a repository and approving a plan, as a new user would and as a script would. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentPath, writeAgent } from "./agent-program.ts";
import { folderWith } from "./folder.ts";
import { cox } from "./program.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";
import { snapshot } from "./snapshot.ts";

const manifest = '{ "scripts": { "test": "node --check index.js" } }\n';

const works = `write(task + ".txt", task); say("READY FOR AUDIT: " + task);`;
const dev = { node: works, env: ["MY_KEY"] };
const two = {
  plan: "# Two things\n\n## Tasks\n- [ ] One\n- [ ] Two\n  - Depends-On: one\n",
  agents: { dev },
  config: 'verify: "true"\n',
};

/** A repository that nobody has set up. */
function bare(files: Readonly<Record<string, string>>): RunWorld {
  return new RunWorld({ agents: {}, files });
}

test("init shows what it found and would write, and without a yes writes nothing: exit 3", async () => {
  const { root, ...repo } = bare({ "package.json": manifest, "index.js": "" });
  const before = snapshot(root);
  const { exitCode, stdout, stderr } = await cox(["init", "--plan", "fix"], { cwd: root, env: repo.env });
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/Tests +npm test {2}\(from package\.json\)/);
  expect(stdout).toMatch(/\+ \.coxswain\/config\.yaml +\d+ lines[\s\S]*\+ plan\.md/);
  expect(stderr).toContain("cox init --plan fix --yes");
  expect(snapshot(root)).toEqual(before);
});

test("init --yes writes the configuration with the project's own test command, beside uncommitted work", async () => {
  const repo = bare({ "package.json": manifest, "index.js": "" });
  repo.write({ "index.js": "// not committed\n" });
  repo.write({ "new.js": "// not added\n" });
  const { exitCode, stdout } = await repo.cox("init", "--yes");
  expect(exitCode).toBe(0);
  for (const words of ["No agent is configured yet", "command: [node, tools/agent.mjs]", "cox check plan.md"])
    expect(stdout).toContain(words);
  expect(readFileSync(join(repo.root, ".coxswain/config.yaml"), "utf8")).toMatch(/^verify: npm test /m);
  expect(readFileSync(join(repo.root, "index.js"), "utf8")).toBe("// not committed\n");
  expect(repo.git("status", "--short")).toBe(" M index.js\n?? .coxswain/\n?? new.js");
});

test("init never touches an existing file, of whatever kind", async () => {
  const repo = bare({ "plan.md": "mine\n", ".coxswain/config.yaml": "verify: make check\n" });
  const document = await repo.json("init", "--plan", "build", "--yes");
  expect(document).toMatchObject({
    ok: true,
    verify: { command: "make check", from: ".coxswain/config.yaml" },
    written: [".coxswain/.gitignore"],
    kept: [".coxswain/config.yaml", "plan.md"],
  });
  expect(readFileSync(join(repo.root, "plan.md"), "utf8")).toBe("mine\n");
  const again = await repo.cox("init");
  expect(again).toMatchObject({ exitCode: 0, stderr: "" });
  expect(again.stdout).toContain("nothing to write");
});

test("init outside a repository says so, and what to type: exit 5", async () => {
  const cwd = folderWith({ "package.json": manifest });
  const { exitCode, stderr } = await cox(["init", "--yes"], { cwd });
  expect(exitCode).toBe(5);
  expect(stderr).toContain("git init");
  expect(existsSync(join(cwd, ".coxswain"))).toBe(false);
  const json = await cox(["init", "--json"], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, errors: [{ code: "GIT_NO_REPOSITORY" }] });
});

test("init, a plan of three bullets and an agent of a few lines are enough for a run that is done", async () => {
  const repo = bare({ Makefile: "test:\n\ttest -e README.md\n", "README.md": "" });
  await repo.cox("init", "--yes");
  const config = readFileSync(join(repo.root, ".coxswain/config.yaml"), "utf8");
  const crew = `agents:\n  dev: ${writeAgent(agentPath(repo.folder, "dev", dev), dev, "developer")}\n`;
  repo.write({ ".coxswain/config.yaml": config + crew });
  repo.write({ "plan.md": "## Tasks\n- [ ] one\n- [ ] two\n- [ ] three\n" });
  expect(await repo.json("init", "--yes")).toMatchObject({
    agents: ["dev"],
    verify: { command: "make test" },
  });
  expect((await repo.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  expect(await repo.json("status")).toMatchObject({ counts: { done: 3 } });
});

test.each(["dev-setup", "build", "fix"])(
  "the template %s is a plan that can be run as it is",
  async (name) => {
    const repo = new RunWorld({ agents: { dev }, config: two.config });
    expect((await repo.json("init", "--plan", name, "--yes")).written).toContain("plan.md");
    expect(await repo.json("check", "plan.md")).toMatchObject({ ok: true });
  },
);

test("approve shows tasks, agents, commands and the commit; without a yes nothing is approved: exit 3", async () => {
  const repo = new RunWorld(two);
  const { exitCode, stdout, stderr } = await repo.cox("approve", "plan.md");
  expect(exitCode).toBe(3);
  expect(stdout).toContain(`starts at ${repo.git("rev-parse", "HEAD").slice(0, 7)}`);
  expect(stdout).toMatch(/two {2}Two {2}dev, after one/);
  expect(stdout).toContain("dev: developer, driver command, sees MY_KEY");
  expect(stdout).toMatch(/verify +true {2}new\n {2}agent dev +node \S+dev\.mjs {2}new/);
  expect(stderr).toContain("cox approve plan.md --yes");
  expect((await repo.cox("run", "plan.md")).exitCode).toBe(3);
});

test("an approved plan runs without another question, and needs a new approval when anything in it changes", async () => {
  const repo = new RunWorld(two);
  expect(await repo.json("approve", "plan.md", "--yes")).toMatchObject({ ok: true, approved: true });
  expect((await repo.json("approve", "plan.md")).commands).toMatchObject([
    { is_new: false },
    { is_new: false },
  ]);
  expect((await repo.cox("run", "plan.md")).exitCode).toBe(0);
  repo.write({ "plan.md": `${two.plan}- [ ] Three\n` });
  const changed = await repo.cox("approve", "plan.md", "--json");
  expect(changed.exitCode).toBe(3);
  expect(JSON.parse(changed.stdout)).toMatchObject({ approved: false, errors: [{ code: "NEEDS_APPROVAL" }] });
});

test("approve refuses inside a turn, for a plan with problems, and for one that is not there", async () => {
  const repo = new RunWorld(two);
  const inside = await cox(["approve", "plan.md", "--yes"], {
    cwd: repo.root,
    env: { ...repo.env, COX_TURN: "one.1.1" },
  });
  expect(inside.exitCode).toBe(1);
  expect(inside.stderr).toContain("AGENT_DECIDES");
  repo.write({ "bad.md": "## Tasks\n- [ ] One\n  - Depends-On: no-such-task\n" });
  expect((await repo.cox("approve", "bad.md", "--yes")).exitCode).toBe(1);
  expect((await repo.cox("approve", "none.md")).exitCode).toBe(2);
  expect((await repo.cox("run", "plan.md")).exitCode).toBe(3);
});

test.for([
  ["y\n", 0, true],
  ["\n", 1, false],
  ["\x03", 130, false],
] as const)("on a terminal approve and init ask once: %j is exit %d", ([answer, code, isDone], context) => {
  needsPseudoTerminal(context);
  const repo = new RunWorld(two);
  const env = { ...process.env, ...repo.env };
  const reactions = [{ when: "[y/N]", type: answer }];
  const approved = onTerminal(["approve", "plan.md"], { cwd: repo.root, env, reactions });
  expect(approved.exitCode).toBe(code);
  expect(approved.output).toContain("Approve it? [y/N]");
  expect(approved.output.includes("approved for this commit")).toBe(isDone);
  expect(onTerminal(["init", "--no-mcp"], { cwd: repo.root, env, reactions }).exitCode).toBe(code);
  expect(existsSync(join(repo.root, ".coxswain/.gitignore"))).toBe(isDone);
});

const servers = '{\n  // of the team\n  "mcpServers": { "other": { "command": "x" } },\n}\n';

test("init --mcp adds our server to .mcp.json beside the others, once, and undo takes it back", async () => {
  const repo = bare({ ".mcp.json": servers });
  const added = await repo.json("init", "--mcp", "--yes");
  expect(added).toMatchObject({ ok: true, mcp: "added" });
  const text = readFileSync(join(repo.root, ".mcp.json"), "utf8");
  for (const words of ["// of the team", '"other": { "command": "x" },', '"coxswain": {', '"-y",'])
    expect(text).toContain(words);
  expect(await repo.json("init", "--mcp", "--yes")).toMatchObject({ mcp: "there" });
  expect((await repo.cox("undo")).exitCode).toBe(0);
  expect(readFileSync(join(repo.root, ".mcp.json"), "utf8")).toBe(servers);
});

test("init without --mcp in a script leaves .mcp.json alone, and says how to add the server", async () => {
  const repo = bare({ "a.txt": "" });
  const { stdout, exitCode } = await repo.cox("init", "--yes");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("cox init --mcp");
  expect(await repo.json("init", "--no-mcp", "--yes")).toMatchObject({ mcp: "declined" });
  expect(existsSync(join(repo.root, ".mcp.json"))).toBe(false);
});

test.each([
  [
    "another entry of our name",
    '{ "mcpServers": { "coxswain": { "command": "mine" } } }',
    "MCP_ENTRY_DIFFERS",
  ],
  ["what is no JSON", "{", "MCP_JSON_UNREADABLE"],
])("init reports %s in .mcp.json and leaves it alone: exit 3 with --mcp", async (_what, text, code) => {
  const repo = bare({ ".mcp.json": text });
  const asked = await repo.cox("init", "--mcp", "--yes", "--json");
  expect(asked.exitCode).toBe(3);
  expect(JSON.parse(asked.stdout)).toMatchObject({ ok: false, mcp: "left", errors: [{ code }] });
  expect(readFileSync(join(repo.root, ".mcp.json"), "utf8")).toBe(text);
});

test.for([
  ["y\n", "{}", "added", /"npx"/],
  ["n\n", "{}", "declined", /^\{\}$/],
  ["y\n", '{ "mcpServers": { "coxswain": { "command": "mine" } } }', "replaced", /"npx"/],
  ["\n", '{ "mcpServers": { "coxswain": { "command": "mine" } } }', "left", /mine/],
] as const)(
  "on a terminal init offers to add our server to .mcp.json: %j to %s",
  ([answer, text, , after], context) => {
    needsPseudoTerminal(context);
    const repo = bare({ ".mcp.json": text });
    const reactions = [
      { when: "Write it? [y/N]", type: "y\n" },
      { when: "? [y/N]", type: answer },
    ];
    const env = { ...process.env, ...repo.env };
    expect(onTerminal(["init"], { cwd: repo.root, env, reactions }).exitCode).toBe(0);
    expect(readFileSync(join(repo.root, ".mcp.json"), "utf8")).toMatch(after);
  },
);
