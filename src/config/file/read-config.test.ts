import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../test/sized.ts";
import { readConfig } from "./read-config.ts";

const full = `
verify: npm test
setup: [npm ci, npm run build]
active_developers: 5
turn-timeout: 20 m
budget: 5 USD, 200k tokens
x-note: { of: my, own: [1, 2] }
agents:
  database:                 # a name the plan uses
    profile: developer
    driver: claude-code
    model: opus
    args: ["--max-turns", "50"]
  tester:
    role: auditor
    driver: command
    command: ["node", "tools/auditor.mjs", "--strict"]
    env: [MY_API_KEY, LANG]
  player: { driver: scripted, script: crew/player.yaml }
roles:
  auditor: [tester, database]
  Developer: database
`;

test("every part of the configuration is read, and settings in any spelling", () => {
  const { config, problems } = readConfig(full);
  expect(problems).toEqual([]);
  expect(config.settings).toEqual({
    verify: ["npm test"],
    setup: ["npm ci", "npm run build"],
    activeDevelopers: 5,
    turnTimeoutMs: 1_200_000,
    budget: { usdMicros: 5_000_000, tokens: 200_000 },
  });
  expect([...config.agents.values()]).toMatchObject([
    {
      name: "database",
      profile: "developer",
      driver: "claude-code",
      model: "opus",
      args: ["--max-turns", "50"],
    },
    {
      name: "tester",
      role: "auditor",
      driver: "command",
      command: ["node", "tools/auditor.mjs", "--strict"],
      passEnvironment: ["MY_API_KEY", "LANG"],
    },
    { name: "player", driver: "scripted", script: "crew/player.yaml" },
  ]);
  expect([...config.roles].map(([role, players]) => [role, players.map(({ agent }) => agent)])).toEqual([
    ["auditor", ["tester", "database"]],
    ["developer", ["database"]],
  ]);
});

test.each([
  "",
  "\ufeff",
  "# nothing but a comment\n",
  "---\n",
  "agents:\nroles:\n",
  "x-a: &b {c: d}\n",
  "agents:\n  tester:\n",
])("the configuration %j has no problem", (text) => {
  expect(readConfig(text).problems).toEqual([]);
});

const agent = (lines: string) => `agents:\n  a:\n    ${lines}\n`;

test.each<[string, string, string, number, number]>([
  ["a value out of range", "verify: x\nactive-developers: 900\n", "SCHEMA_RANGE", 2, 20],
  ["a key said twice", "land: ask\nland: never\n", "CONFIG_DUPLICATE_KEY", 2, 1],
  [
    "a key said twice in two spellings",
    "stall-timeout: 1m\nstall_timeout: 2m\n",
    "CONFIG_DUPLICATE_KEY",
    2,
    1,
  ],
  ["an agent said twice", "agents:\n  a: {driver: x}\n  a: {driver: y}\n", "CONFIG_DUPLICATE_KEY", 3, 3],
  ["agents said twice", "agents: {}\nAgents: {}\n", "CONFIG_DUPLICATE_KEY", 2, 1],
  ["a role said twice", "roles:\n  auditor: a\n  Auditor: b\n", "CONFIG_DUPLICATE_KEY", 3, 3],
  ["a driver said twice", agent("driver: a\n    Driver: b"), "CONFIG_DUPLICATE_KEY", 4, 5],
  ["no YAML", "land: [ask\n", "CONFIG_BAD_YAML", 2, 1],
  ["two documents", "land: ask\n---\nland: never\n", "CONFIG_BAD_YAML", 2, 1],
  ["a list instead of settings", "- land\n", "CONFIG_BAD_YAML", 1, 1],
  ["a setting with an object", "verify: {a: b}\n", "CONFIG_BAD_YAML", 1, 9],
  ["an alias as a setting", "x-a: &a [x]\nverify: *a\n", "CONFIG_BAD_YAML", 2, 9],
  ["agents as a list", "agents: [a, b]\n", "CONFIG_BAD_AGENTS", 1, 9],
  ["an agent that is a word", "agents:\n  a: claude\n", "CONFIG_BAD_AGENT", 2, 6],
  ["an agent that is an alias", "agents:\n  b: &b {driver: x}\n  a: *b\n", "CONFIG_BAD_AGENT", 3, 6],
  ["a name with a slash", "agents:\n  ../a: {driver: x}\n", "CONFIG_BAD_AGENT", 2, 3],
  ["the name __proto__", "agents:\n  __proto__: {driver: x}\n", "CONFIG_BAD_AGENT", 2, 3],
  ["roles as a word", "roles: auditor\n", "CONFIG_BAD_ROLES", 1, 8],
  ["a driver that is a list", agent("driver: [a, b]"), "SCHEMA_RANGE", 3, 13],
  ["ways of an agent over ACP that nobody knows", agent("acp: robot"), "SCHEMA_RANGE", 3, 10],
  ["values of variables", agent("env: {KEY: secret}"), "CONFIG_BAD_ENV", 3, 10],
  ["a variable with a blank", agent("env: [A B]"), "CONFIG_BAD_ENV", 3, 11],
  ["a variable of ours", agent("env: [COX_FENCE]"), "CONFIG_BAD_ENV", 3, 11],
  ["PROC-15 a line for a shell", agent("command: claude -p {prompt}"), "CONFIG_SHELL_TEMPLATE", 3, 14],
  ["PROC-15 sh -c", agent('command: [sh, -c, "claude -p {prompt}"]'), "CONFIG_SHELL_TEMPLATE", 3, 14],
  [
    "PROC-15 a shell behind env",
    agent('command: [env, A=b, /bin/bash, -lc, "claude {{ prompt }}"]'),
    "CONFIG_SHELL_TEMPLATE",
    3,
    14,
  ],
  ["a command of nothing", agent("command: []"), "CONFIG_BAD_COMMAND", 3, 14],
  ["a command with an object", agent("command: [a, {b: c}]"), "CONFIG_BAD_COMMAND", 3, 14],
  ["arguments as a line", agent("args: --max-turns 50"), "CONFIG_BAD_COMMAND", 3, 11],
  ["arguments with an object", agent("args: [a, {b: c}]"), "CONFIG_BAD_COMMAND", 3, 11],
  ["a command with a NUL", agent('command: ["a\\0b"]'), "CONFIG_BAD_COMMAND", 3, 14],
])("in the configuration, %s is refused at its place", (_what, text, code, line, column) => {
  expect(readConfig(text).problems).toMatchObject([{ code, severity: "blocking", line, column }]);
});

test.each<[string, string, string, RegExp]>([
  ["a mistyped setting", "verfiy: npm test\n", "CONFIG_FIELD_TYPO", /verify/],
  ["a block that is almost agents", "agent-s:\n", "CONFIG_FIELD_TYPO", /agents/],
  ["a mistyped key of an agent", agent("modell: opus"), "CONFIG_FIELD_TYPO", /model\?/],
])("in the configuration, %s stops the run, with what was probably meant", (_what, text, code, hint) => {
  expect(readConfig(text).problems).toMatchObject([
    { code, severity: "blocking", hint: expect.stringMatching(hint) },
  ]);
});

test.each<[string, string, string, RegExp]>([
  ["a verify command that cannot fail", 'verify: "true"\n', "CONFIG_WEAK_VERIFY", /approv/],
  ["an unknown setting", "verification: npm test\n", "CONFIG_UNKNOWN_KEY", /x-/],
  ["an unknown key of an agent", agent("modelling: opus"), "CONFIG_UNKNOWN_KEY", /An agent has/],
  ["a placeholder without a shell", agent("command: [a, '{prompt}']"), "CONFIG_PROMPT_PLACEHOLDER", /stdin/],
])("in the configuration, %s is warned about, with what was probably meant", (_what, text, code, hint) => {
  expect(readConfig(text).problems).toMatchObject([
    { code, severity: "warning", hint: expect.stringMatching(hint) },
  ]);
});

test("an agent command written as a shell line is refused, with the list it should be", () => {
  expect(readConfig(agent("command: node tools/agent.mjs -v")).problems[0]?.hint).toBe(
    'Write: command: ["node", "tools/agent.mjs", "-v"]',
  );
});

test("a shell without a placeholder is accepted as the user's own program", () => {
  expect(readConfig(agent('command: [sh, -c, "exec my-agent 2>/dev/null"]')).problems).toEqual([]);
});

test("one mistake in the configuration hides no other", () => {
  const { config, problems } = readConfig(
    "land: perhaps\nagents:\n  a: 1\n  b: {driver: x}\nschedule: levels\n",
  );
  expect(problems.map(({ line }) => line)).toEqual([1, 3]);
  expect([...config.agents.keys()]).toEqual(["b"]);
  expect(config.settings).toEqual({ schedule: "levels" });
});

test.each([
  [
    "a bomb of aliases",
    `a: &a [x]\n${"bcdefgh".split("").reduce((text, name, at) => `${text}${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}]\n`, "")}verify: *h\n`,
  ],
  ["brackets without end", `verify: ${"[".repeat(60_000)}`],
  ["more than anybody writes", `# ${"x".repeat(70_000)}`],
  ["maps in maps", `agents: {a: {driver: ${"{a: ".repeat(50)}x${"}".repeat(50)}}}`],
  ["thousands of agents", `agents:\n${Array.from({ length: 3000 }, (_, at) => `  a${at}: {}\n`).join("")}`],
])("a configuration with %s is refused quickly", (_what, text) => {
  expect(readConfig(text).problems.some(({ severity }) => severity === "blocking")).toBe(true);
});

test("reading a configuration never throws, and no message carries a raw control character", () => {
  const piece = fc.constantFrom(
    "agents:",
    "roles:",
    "\n",
    "  ",
    "a",
    ": ",
    "- ",
    "[",
    "{",
    "}",
    "]",
    "&a",
    "*a",
    "'",
    '"',
    "\u001b[2J",
    "command",
    "\u202e",
    "\0",
    "|\n",
    "#",
    "verify",
    "?",
    "!!binary ",
    "<<",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const { message, hint } of readConfig(pieces.join("")).problems) {
        expect(message + hint).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      }
    }),
    { numRuns: sized({ sample: 600, campaign: 3_000 }) },
  );
});
