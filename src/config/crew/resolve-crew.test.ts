import { expect, test } from "vitest";
import { placedProblems } from "../../plan/problem.ts";
import { parsePlan } from "../../plan/read/parse.ts";
import { readConfig } from "../file/read-config.ts";
import { defaultSettings } from "../settings/default-settings.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { surroundingsOf } from "../trust/surroundings.ts";
import { mergeProfiles } from "./profiles.ts";
import { resolveCrew } from "./resolve-crew.ts";

const shipped = (name: string, text: string) => ({
  origin: "shipped" as const,
  path: `profiles/${name}.md`,
  text,
});
const { profiles } = mergeProfiles([
  shipped("developer", "You develop."),
  shipped("auditor", "---\nx-cox:\n  role: auditor\n---\nYou audit."),
  {
    origin: "claude",
    path: ".claude/agents/backend.md",
    text: "---\nmodel: opus\n---\nYou know the back end.",
  },
  {
    origin: "project",
    path: ".coxswain/agents/solo.md",
    text: "---\nx-cox:\n  driver: claude-code\n---\nAlone.",
  },
]);
const drivers = ["command", "scripted", "acp", "model", "claude-code", "codex"];

function crewOf(yaml: string, planText: string, given: { drivers?: readonly string[] } = { drivers }) {
  const { config, problems } = readConfig(yaml);
  expect(problems).toEqual([]);
  const { plan } = parsePlan(planText, surroundingsOf({ config, profiles }));
  const settings = effectiveSettings({
    defaults: defaultSettings,
    config: config.settings,
    plan: plan.settings,
  });
  return resolveCrew({ plan, config, profiles, settings, ...given });
}
const who = (yaml: string, plan: string) => {
  const { assignments, problems } = crewOf(yaml, plan);
  return {
    tasks: Object.fromEntries(
      [...assignments].map(([id, { agent, auditor }]) => [id, `${agent} / ${auditor ?? "-"}`]),
    ),
    problems: problems.map(({ code, severity }) => `${severity} ${code}`),
  };
};

const dev = "  dev: { driver: command, command: [node, dev.mjs] }\n";
const aud = "  aud: { profile: auditor, driver: command, command: [node, aud.mjs] }\n";
const aud2 = "  aud2: { role: auditor, driver: codex }\n";
const two = "## Tasks\n- [ ] one\n- [ ] two\n";

test("an agent has what the configuration says, and what its profile says of the rest", () => {
  const { agents, problems } = crewOf(
    "agents:\n  backend: { driver: claude-code }\n  tester: { profile: auditor, command: [node, a.mjs], env: [KEY] }\n",
    "## Tasks\n- [ ] one\n",
  );
  expect(problems).toEqual([]);
  expect([...agents.values()]).toMatchObject([
    {
      name: "backend",
      role: "developer",
      driver: "claude-code",
      model: "opus",
      instructions: "You know the back end.",
      profile: ".claude/agents/backend.md",
    },
    {
      name: "tester",
      role: "auditor",
      driver: "command",
      command: ["node", "a.mjs"],
      passEnvironment: ["KEY"],
      instructions: "You audit.",
      profile: "profiles/auditor.md",
    },
    { name: "solo", driver: "claude-code", instructions: "Alone." },
  ]);
});

test("the plan's own list says role and driver over the configuration", () => {
  const { agents } = crewOf(
    "agents:\n  ann: { driver: command, command: [x], model: m, role: auditor }\n",
    "## Agents\n- ann: developer on codex\n- bob: security auditor on claude-code\n\n## Tasks\n- [ ] one\n  - agent: ann\n",
  );
  expect(agents.get("ann")).toEqual({
    name: "ann",
    role: "developer",
    driver: "codex",
    instructions: "You develop.",
    profile: "profiles/developer.md",
  });
  expect(agents.get("bob")).toMatchObject({ role: "security-auditor", instructions: "You audit." });
});

test.each<[string, string, string, Record<string, string>]>([
  ["the only developer", `agents:\n${dev}${aud}`, two, { one: "dev / aud", two: "dev / aud" }],
  [
    "the only developer of the plan",
    `agents:\n${dev}${aud}  other: {driver: codex}\nroles: {developer: other}\n`,
    `## Agents\n- dev: developer\n\n${two}`,
    { one: "dev / aud", two: "dev / aud" },
  ],
  ["the only profile with a driver", `agents:\n${aud}`, two, { one: "solo / aud", two: "solo / aud" }],
  [
    "whoever is preferred",
    `agents:\n${dev}${aud}  other: {driver: codex}\nroles: {developer: [nobody, other]}\n`,
    two,
    { one: "other / aud", two: "other / aud" },
  ],
  [
    "the task's own names",
    `agents:\n${dev}${aud}${aud2}roles: {developer: dev}\n`,
    "## Tasks\n- [ ] one\n  - agent: solo\n  - auditor: aud2\n- [ ] two\n",
    { one: "solo / aud2", two: "dev / aud" },
  ],
  [
    "auditors in their order of preference",
    `agents:\n${dev}${aud}${aud2}roles: {auditor: [aud2, aud], developer: dev}\n`,
    two,
    { one: "dev / aud2", two: "dev / aud2" },
  ],
  [
    "the next auditor, where the first is the author",
    `agents:\n${dev}${aud}${aud2}roles: {auditor: [aud2, aud], developer: dev}\n`,
    "## Tasks\n- [ ] one\n  - agent: aud2\n",
    { one: "aud2 / aud" },
  ],
  [
    "a developer who also audits, for others",
    `agents:\n${dev}${aud}  pair: {driver: codex}\nroles: {auditor: [pair], developer: dev}\n`,
    "## Tasks\n- [ ] one\n- [ ] two\n  - agent: pair\n",
    { one: "dev / pair", two: "pair / aud" },
  ],
  [
    "no auditor where the plan wants none",
    `agents:\n${dev}${aud}roles: {developer: dev}\n`,
    `---\naudit: none\n---\n${two}`,
    { one: "dev / -", two: "dev / -" },
  ],
  [
    "nothing when it is done",
    `agents:\n${dev}${aud}roles: {developer: dev}\n`,
    "## Tasks\n- [x] one\n- [ ] two\n",
    { two: "dev / aud" },
  ],
])("a task gets %s", (_what, yaml, plan, tasks) => {
  const found = who(yaml, plan);
  expect(found.tasks).toEqual(tasks);
  expect(found.problems.filter((problem) => problem.startsWith("blocking"))).toEqual([]);
});

const crewYaml = (roles: string) =>
  `agents:
  opus: { driver: claude-code, model: opus }
  sonnet: { driver: claude-code, model: sonnet }
  gpt: { driver: codex }
  odd: { driver: robot }
roles: ${roles}
`;

test.each<[string, string, string, object]>([
  [
    "the list goes on behind whoever is first",
    "{developer: [opus, sonnet, gpt]}",
    "- [ ] t",
    { agent: "opus", agents: ["opus", "sonnet", "gpt"] },
  ],
  [
    "from the one that the task names",
    "{developer: [opus, sonnet, gpt]}",
    "- [ ] t\n  - agent: sonnet",
    { agent: "sonnet", agents: ["sonnet", "gpt"] },
  ],
  [
    "a name in no list means that agent alone",
    "{developer: [opus, sonnet]}",
    "- [ ] t\n  - agent: gpt",
    { agent: "gpt" },
  ],
  [
    "the last of a list has nobody behind it",
    "{developer: [opus, gpt]}",
    "- [ ] t\n  - agent: gpt",
    { agent: "gpt" },
  ],
  [
    "who cannot work takes over from nobody",
    "{developer: [opus, odd, gpt]}",
    "- [ ] t",
    { agent: "opus", agents: ["opus", "gpt"] },
  ],
  [
    "an auditor of another model comes first",
    "{developer: [opus], auditor: [opus, sonnet, gpt]}",
    "- [ ] t",
    { agent: "opus", auditor: "sonnet", auditors: ["sonnet", "gpt"] },
  ],
  [
    "who takes over must leave somebody to judge it",
    "{developer: [opus, gpt], auditor: [gpt]}",
    "- [ ] t",
    { agent: "opus", auditor: "gpt" },
  ],
  [
    "two agents stand in for each other, and each judges what the other wrote",
    "{developer: [opus, gpt], auditor: [opus, gpt]}",
    "- [ ] t",
    { agent: "opus", auditor: "gpt", agents: ["opus", "gpt"], auditors: ["gpt", "opus"] },
  ],
  [
    "an auditor that the task names stays first",
    "{developer: [opus], auditor: [gpt, sonnet, opus]}",
    "- [ ] t\n  - auditor: sonnet",
    { agent: "opus", auditor: "sonnet" },
  ],
])("in a fallback order %s", (_what, roles, task, assignment) => {
  const { assignments, problems } = crewOf(crewYaml(roles), `## Tasks\n${task}\n`);
  expect([...assignments.values()]).toEqual([assignment]);
  expect(problems.filter(({ severity }) => severity === "blocking")).toEqual([]);
});

test("of two auditors with the author's own model and another one, the other judges", () => {
  const yaml = `agents:
  dev: { driver: claude-code, model: opus }
  twin: { driver: claude-code, model: opus, role: auditor }
  other: { driver: codex, role: auditor }
roles: { developer: dev }
`;
  expect(crewOf(yaml, "## Tasks\n- [ ] t\n").assignments.values().next().value).toEqual({
    agent: "dev",
    auditor: "other",
    auditors: ["other", "twin"],
  });
});

const verified = (plan: string) => `---\nverify: npm test\n---\n${plan}`;

test.each<[string, string, string, readonly string[]]>([
  [
    "XAGT-05 an agent that would audit itself",
    `agents:\n${dev}${aud}roles: {developer: dev}\n`,
    verified("## Tasks\n- [ ] one\n  - agent: aud\n  - auditor: aud\n"),
    ["blocking ROLE_CONFLICT"],
  ],
  [
    "the same by the plan's default, with nobody else",
    `agents:\n${dev}`,
    `---\nverify: x\nagent: dev\nauditor: dev\n---\n${two}`,
    ["blocking ROLE_CONFLICT", "blocking ROLE_CONFLICT"],
  ],
  [
    "the only auditor as an author, without commands",
    `agents:\n${aud}`,
    "## Tasks\n- [ ] one\n  - agent: aud\n",
    ["blocking ROLE_CONFLICT"],
  ],
  [
    "the only auditor as an author, with commands",
    `agents:\n${aud}`,
    verified("## Tasks\n- [ ] one\n  - agent: aud\n"),
    ["warning ROLE_CONFLICT"],
  ],
  [
    "two developers and nothing said",
    `agents:\n${dev}  other: {driver: codex}\n`,
    verified(two),
    ["blocking AGENT_UNCLEAR"],
  ],
  [
    "a required audit and no auditor",
    `agents:\n${dev}roles: {developer: dev}\n`,
    `---\naudit: required\nverify: x\n---\n${two}`,
    ["blocking NO_AUDITOR"],
  ],
  [
    "an unknown driver",
    "agents:\n  a: {driver: claud-code}\nroles: {developer: a}\n",
    verified(two),
    ["blocking DRIVER_UNKNOWN"],
  ],
  [
    "an unknown driver that nobody needs",
    `agents:\n${dev}  a: {driver: robot}\nroles: {developer: dev}\n`,
    verified(two),
    ["warning DRIVER_UNKNOWN"],
  ],
  [
    "no driver",
    "agents:\n  a: {model: opus}\nroles: {developer: a}\n",
    verified(two),
    ["blocking DRIVER_MISSING"],
  ],
  [
    "the command driver without a command",
    "agents:\n  a: {driver: command}\nroles: {developer: a}\n",
    verified(two),
    ["blocking AGENT_NO_COMMAND"],
  ],
  [
    "the acp driver without a command",
    "agents:\n  a: {driver: acp, acp: gemini}\nroles: {developer: a}\n",
    verified(two),
    ["blocking AGENT_NO_COMMAND"],
  ],
  [
    "the scripted driver without a script",
    "agents:\n  a: {driver: scripted}\nroles: {developer: a}\n",
    verified(two),
    ["blocking AGENT_NO_SCRIPT"],
  ],
  [
    "a way to work that the driver cannot do",
    "agents:\n  a: {driver: model, model: m, works: desk}\nroles: {developer: a}\n",
    verified(two),
    ["blocking AGENT_WAY"],
  ],
  [
    "an unknown profile",
    "agents:\n  a: {driver: codex, profile: develper}\nroles: {developer: a}\n",
    verified(two),
    ["blocking PROFILE_UNKNOWN"],
  ],
  [
    "an unknown agent in a role",
    `agents:\n${dev}roles: {developer: [dev, ghost]}\n`,
    verified(two),
    ["warning CONFIG_UNKNOWN_AGENT"],
  ],
  [
    "an unknown agent for all tasks",
    `agent: ghost\nagents:\n${dev}`,
    verified(two),
    ["blocking CONFIG_UNKNOWN_AGENT"],
  ],
])("resolving a crew reports %s", (_what, yaml, plan, problems) => {
  expect(who(yaml, plan).problems).toEqual(problems);
});

test("a configuration without agents is reported once for all tasks, with what to write", () => {
  const { config } = readConfig("");
  const bare = mergeProfiles([]).profiles;
  const text = verified(two);
  const { plan } = parsePlan(text);
  const settings = effectiveSettings({ defaults: defaultSettings, plan: plan.settings });
  const { problems } = resolveCrew({ plan, config, profiles: bare, settings, drivers });
  expect(placedProblems(text, problems)).toMatchObject([
    {
      code: "NO_AGENTS",
      line: 5,
      message: 'there is no agent that could do "one" and 1 other task',
      hint: expect.stringContaining("agents:"),
    },
  ]);
});

test("a conflict of roles is shown where the auditor is named, with whom to name instead", () => {
  const text = verified("## Tasks\n- [ ] one\n  - agent: aud\n  - auditor: aud\n");
  const { problems } = crewOf(`agents:\n${aud}${aud2}`, text);
  expect(placedProblems(text, problems)).toMatchObject([
    { code: "ROLE_CONFLICT", line: 7, column: 14, hint: "Write Auditor: aud2, or leave the line out." },
  ]);
});

test("an unknown driver is not reported if the caller does not say which drivers exist", () => {
  const { problems } = crewOf("agents:\n  a: {driver: robot}\nroles: {developer: a}\n", verified(two), {});
  expect(problems).toEqual([]);
});

test("a crew without an auditor has a note that the verify commands alone judge", () => {
  const { notes } = crewOf(`agents:\n${dev}roles: {developer: dev}\n`, verified(two));
  expect(notes).toEqual(["there is no auditor: the verify commands alone judge every task"]);
  expect(crewOf(`agents:\n${dev}${aud}roles: {developer: dev}\n`, two).notes).toEqual([]);
});

test.each<[string, string, boolean]>([
  ["commands", "verify: npm test\n", true],
  ["an auditor", `agents:\n${aud}`, true],
  ["an agent that plays the auditor", `agents:\n${dev}roles: {auditor: dev}\n`, true],
  ["the word that none is needed", "audit: none\n", true],
  ["a developer", `agents:\n${dev}`, false],
  ["a role that nobody plays", "roles: {auditor: ghost}\n", false],
])("a configuration with %s: can a task be judged? %#", (_what, yaml, canVerify) => {
  const { config } = readConfig(yaml);
  expect(surroundingsOf({ config, profiles })).toMatchObject({ canVerify });
});

test("a hundred thousand tasks are assigned to agents", () => {
  const text = verified(`## Tasks\n${Array.from({ length: 100_000 }, (_, at) => `- [ ] t${at}\n`).join("")}`);
  expect(crewOf(`agents:\n${dev}${aud}roles: {developer: dev}\n`, text).assignments.size).toBe(100_000);
});

test("a bare model gets its default server and key, and a missing model name is reported", () => {
  const { agents } = crewOf(
    "agents:\n  big: { driver: model, model: claude-opus-5 }\n  small: { url: ollama, model: qwen3 }\n",
    two,
  );
  expect(agents.get("big")).toMatchObject({
    driver: "model",
    api: "anthropic",
    url: "https://api.anthropic.com/v1",
    key: "ANTHROPIC_API_KEY",
  });
  expect(agents.get("small")).toMatchObject({
    driver: "model",
    api: "openai",
    url: "http://127.0.0.1:11434/v1",
  });
  expect(agents.get("small")).not.toHaveProperty("key");
  expect(who("agents:\n  big: { driver: model }\n", two).problems).toContain("blocking AGENT_NO_MODEL");
  expect(who("agents:\n  big: { driver: model, model: m, works: desk }\n", two).problems).toContain(
    "blocking AGENT_WAY",
  );
});

test.each<[string, string, string, string | undefined]>([
  ["of the configuration", `agents:\n${dev}  aud: { role: auditer, driver: codex }\n`, two, "auditor"],
  [
    "that nobody is near to",
    `agents:\n${dev}  aud: { role: poet, driver: codex }\n`,
    two,
    ".coxswain/agents/poet.md",
  ],
  ["of a list", `agents:\n${dev}roles: { audtor: [dev] }\n`, two, "auditor"],
  ["of the plan", `agents:\n${dev}`, `## Agents\n- bob: develper on codex\n\n${two}`, "developer"],
  ["that is a profile's name", `agents:\n  dev: { role: backend, driver: codex }\n`, two, undefined],
  ["of a kind", `agents:\n${dev}  aud: { role: security-auditor, driver: codex }\n`, two, undefined],
])(
  "a role name %s is accepted only if it is known, and otherwise blocks the run",
  (_what, yaml, plan, hint) => {
    const found = crewOf(yaml, plan).problems.filter(({ code }) => code === "ROLE_UNKNOWN");
    expect(found.map(({ severity }) => severity)).toEqual(hint === undefined ? [] : ["blocking"]);
    if (hint !== undefined) expect(found[0]?.hint).toContain(hint);
  },
);
