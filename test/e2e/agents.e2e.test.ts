/** `cox agents` and `cox agents test`, with programs that only look like agents. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";

/** Prints its version, and answers a prompt as Claude Code would. */
const claude = `#!/bin/sh
if [ "$1" = --version ]; then echo "9.9.9 (Claude Code)"; exit 0; fi
cat > /dev/null
touch desk-was-writable 2> /dev/null
echo '{"type":"system","subtype":"init","session_id":"s-1"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"ready","total_cost_usd":0.002,"modelUsage":{"m":{"inputTokens":100,"outputTokens":20}}}'
`;

function world(config = "", program = claude) {
  const made = new RunWorld({
    agents: {},
    files: { "a.txt": "a" },
    config: config === "" ? "" : `agents:\n${config}`,
  });
  const bin = join(made.folder, "bin");
  // Its own temporary folder, because other tests run at the same time and leave folders in the usual one.
  const temporary = join(made.folder, "temporary");
  for (const folder of [bin, temporary]) mkdirSync(folder);
  writeFileSync(join(bin, "claude"), program);
  chmodSync(join(bin, "claude"), 0o755);
  const PATH = [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  const env = { PATH, TMPDIR: temporary, ANTHROPIC_API_KEY: "sk-not-to-be-shown" };
  return { ...made.with({ env }), made, temporary };
}

test("agents and programs are listed, with what each can do, and no key is shown", async () => {
  const { cox } = world(`  ada: { role: developer, driver: claude-code, model: opus }
  tess: { profile: auditor, command: [no-such-program] }
  olga: { role: developer, driver: acp, command: [opencode, acp] }
  gina: { role: developer, driver: acp, command: [gemini, --acp] }
  opus: { profile: auditor, driver: model, model: claude-opus-5 }
  gpt: { profile: auditor, driver: model, model: gpt-6 }
`);
  const { exitCode, stdout } = await cox("agents");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/✓ ada +developer +claude-code, opus +9\.9\.9, signed in: ANTHROPIC_API_KEY is set/);
  expect(stdout).toMatch(/! tess +auditor +command +no-such-program is not there/);
  expect(stdout).toMatch(/✓ opus +auditor +model, claude-opus-5\n/);
  expect(stdout).toMatch(/! gpt +auditor +model, gpt-6 +OPENAI_API_KEY is not set/);
  expect(stdout).toMatch(/✓ Claude Code +9\.9\.9 .*can: desk, proposal/);
  expect(stdout).toMatch(/· Codex +not installed .*npm install -g @openai\/codex/);
  expect(stdout).not.toContain("sk-not");

  const document = JSON.parse((await cox("agents", "--json")).stdout);
  expect(document.agents[1]).toMatchObject({ agent: "tess", driver: "command", installed: false });
  // Two agents with the same driver can have different abilities.
  expect(document.agents.slice(2, 4)).toMatchObject([{ can: { resume: "yes" } }, { can: { resume: "no" } }]);
  expect(document.programs[0]).toMatchObject({
    ...{ driver: "claude-code", installed: true, version: "9.9.9", signed_in: "yes" },
    can: { "read-only": "yes", usage: "yes", cost: "yes" },
  });
  const { stdout: healthy } = await cox("doctor", "--verbose");
  expect(healthy).toMatch(
    /Claude Code 9\.9\.9 \(driver: claude-code, signed in: ANT.*\), can: desk, proposal/,
  );
  const { stdout: wrong } = await cox("doctor");
  expect(wrong).toContain("agent tess (driver: command) cannot work: no-such-program is not there");
  expect(wrong).not.toContain("agent ada");
  expect((await cox("init", "--yes")).stdout).toMatch(/Claude Code 9\.9\.9 .*\n +can: desk, proposal/);
});

test("cox agents test shows the reply, the session and the usage, and leaves no file behind", async () => {
  const { cox, temporary } = world();
  const { exitCode, stdout, stderr } = await cox("agents", "test", "claude-code");
  expect(exitCode, stdout + stderr).toBe(0);
  expect(stdout).toMatch(
    /^✓ claude-code \(claude-code\) replied in [\d.]+ s: "ready"\n {2}session s-1\n {2}120 tokens, \$0\.0020/,
  );
  const { ok, session, spent } = JSON.parse((await cox("agents", "test", "claude-code", "--json")).stdout);
  expect({ ok, session, spent }).toMatchObject({
    ok: true,
    session: "s-1",
    spent: { tokens: 120, usd_micros: 2000 },
  });
  expect(readdirSync(temporary)).toEqual([]);
});

test("cox agents test says whether a program is missing, not signed in, silent or unknown", async () => {
  const says = (result: string) =>
    claude.replace("ready", result).replace('"is_error":false', '"is_error":true');
  const tries = [
    { name: "codex", program: claude, code: 5, words: "npm install -g @openai/codex" },
    { name: "claude-code", program: says("Invalid API key"), code: 5, words: "AGENT_NOT_SIGNED_IN" },
    {
      name: "claude-code",
      program: says("You are over your quota|1794823200"),
      code: 1,
      words: "resets at 2026-11-16",
    },
    {
      name: "claude-code",
      program: "#!/bin/sh\necho thinking >&2; exec sleep 60",
      code: 1,
      words: "within 1 s; its last",
    },
    { name: "claude-cod", program: claude, code: 1, words: "Did you mean claude-code?" },
  ];
  for (const { name, program, code, words } of tries) {
    const { cox } = world("", program);
    const { exitCode, stdout, stderr } = await cox("agents", "test", name, "--timeout", "1");
    expect(stdout + stderr).toContain(words);
    expect(exitCode).toBe(code);
  }
});

test("cox agents test starts a command from the configuration only after a yes", async () => {
  const { cox, made } = world(`  tess: { profile: auditor, command: [sh, -c, "touch started; cat"] }\n`);
  writeFileSync(join(made.root, "tess.sh"), "");
  const { exitCode, stderr } = await cox("agents", "test", "tess");
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("--yes") });
});

test.each([
  [["agents", "list"], "cox agents test NAME"],
  [["agents", "test"], "cox agents test NAME"],
  [["agents", "test", "claude-code", "--timeout", "soon"], "a whole number of seconds"],
])("the arguments %j are refused with the right usage", async (args, words) => {
  const { exitCode, stderr } = await world().cox(...args);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) });
});
