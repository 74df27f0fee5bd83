import { expect, test } from "vitest";
import { parsePlan } from "../../plan/read/parse.ts";
import { sha256 } from "../../world/files/hash.ts";
import { mergeProfiles } from "../crew/profiles.ts";
import { resolveCrew } from "../crew/resolve-crew.ts";
import { readConfig } from "../file/read-config.ts";
import { defaultSettings } from "../settings/default-settings.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { commandsOf } from "./commands.ts";
import { snapshotInputs } from "./inputs.ts";

const yaml = "verify: npm test\nagents:\n  dev: { driver: command, command: [node, dev.mjs] }\n";
const planText = "## Tasks\n- [ ] one\n";
const developer = "You develop.";
const contract = "Reply in JSON.";
const base = "c0ffee";

interface Given {
  readonly yaml?: string;
  readonly planText?: string;
  readonly developer?: string;
  readonly contract?: string;
  readonly base?: string;
  readonly unused?: string;
  readonly attached?: string;
}

function inputs(given: Given = {}) {
  const all = { yaml, planText, developer, contract, base, unused: "", attached: undefined, ...given };
  const { config } = readConfig(all.yaml);
  const { plan } = parsePlan(all.planText);
  const { profiles } = mergeProfiles([
    { origin: "shipped", path: "profiles/developer.md", text: all.developer },
    { origin: "shipped", path: "profiles/contract.md", text: all.contract },
    { origin: "claude", path: ".claude/agents/other.md", text: all.unused },
  ]);
  const settings = effectiveSettings({
    defaults: defaultSettings,
    config: config.settings,
    plan: plan.settings,
  });
  const crew = resolveCrew({ plan, config, profiles, settings });
  const { base: commit, attached } = all;
  return snapshotInputs({ planText: all.planText, settings, crew, profiles, base: commit, attached });
}

test("the same inputs have the same digests, which are those of the stored documents", () => {
  const { documents, digests, approval } = inputs();
  expect(inputs()).toEqual({ documents, digests, approval });
  expect(digests).toMatchObject({ plan: sha256(planText), config: sha256(documents.config) });
  expect(approval).toEqual({ plan: digests.plan, config: digests.config, base });
  expect(JSON.parse(documents.config)).toMatchObject({
    version: 1,
    settings: { verify: ["npm test"], activeDevelopers: 3 },
    agents: [{ name: "dev", command: ["node", "dev.mjs"], instructions: developer }],
    contract,
  });
  expect(documents.profiles.map(({ path }) => path)).toEqual([
    "profiles/contract.md",
    "profiles/developer.md",
  ]);
});

test.each<[string, Given]>([
  [
    "comments and order of the configuration",
    { yaml: `# hello\n${yaml.replace("verify: npm test\n", "")}verify: npm test\n` },
  ],
  ["a profile that nobody uses", { unused: "changed" }],
  ["a default that is said", { yaml: `${yaml}active_developers: 3\n` }],
])("%s do not make a new approval necessary", (_what, given) => {
  expect(inputs(given).approval).toEqual(inputs().approval);
});

test.each<[string, Given, string]>([
  ["a byte of the plan", { planText: `${planText} ` }, "plan"],
  ["a command", { yaml: yaml.replace("npm test", "npm t") }, "config"],
  ["an agent's program", { yaml: yaml.replace("dev.mjs", "evil.mjs") }, "config"],
  ["a variable that an agent is given", { yaml: yaml.replace("dev.mjs]", "dev.mjs], env: [KEY]") }, "config"],
  ["an agent's instructions", { developer: "Do as you like." }, "config"],
  ["the contract", { contract: "No rules." }, "config"],
  ["a workflow or document that goes with a task", { attached: "{}" }, "config"],
  ["a limit", { yaml: `${yaml}turn-timeout: 1 h\n` }, "config"],
  ["the commit", { base: "badc0de" }, "base"],
])("%s makes another approval necessary", (_what, given, part) => {
  const before = inputs().approval;
  const after = inputs(given).approval;
  const changed = (["plan", "config", "base"] as const).filter((name) => before[name] !== after[name]);
  expect(changed).toEqual([part]);
});

test("a run's attachments are stored and bound by a digest; without any, the configuration does not mention them", () => {
  const { documents } = inputs({ attached: '{"texts":[]}' });
  expect(documents.attachments).toBe('{"texts":[]}');
  expect(JSON.parse(documents.config)).toMatchObject({ enclosures: sha256('{"texts":[]}') });
  expect(inputs().documents.config).not.toContain("enclosures");
  expect(inputs().documents).not.toHaveProperty("attachments");
});

const commands = (configText: string, text = planText) =>
  commandsOf({ config: readConfig(configText).config, plan: parsePlan(text).plan });

test("every command that a run would start is listed once, with where it is written, and no other", () => {
  const listed = commands(
    `${yaml}setup: [npm ci]\nusage-command: my-usage\n`,
    "---\nverify: [npm test, npm run lint]\n---\n## Tasks\n- [ ] one\n- [ ] two\n  - verify: make two\n",
  );
  expect(listed.map(({ what, source, command }) => [what, source, command])).toEqual([
    ["setup", "config", "npm ci"],
    ["verify", "config", "npm test"],
    ["verify", "plan", "npm run lint"],
    ["verify", "plan", "make two"],
    ["agent", "config", ["node", "dev.mjs"]],
  ]);
  expect(new Set(listed.map(({ digest }) => digest)).size).toBe(listed.length);
});

test("a command keeps its digest wherever it is written, and gets another with one more variable", () => {
  const agent = (text: string) => commands(text).find(({ what }) => what === "agent")?.digest;
  expect(commands("setup: npm test\n")[0]?.digest).toBe(commands("verify: npm test\n")[0]?.digest);
  expect(agent("agents: {a: {command: [x]}}")).toBe(agent("agents: {b: {command: [x], model: m}}"));
  expect(agent("agents: {a: {command: [x], env: [KEY]}}")).not.toBe(agent("agents: {a: {command: [x]}}"));
  expect(agent("agents: {a: {command: [x, y]}}")).not.toBe(agent("agents: {a: {command: [x y]}}"));
});

test("an agent program needs no trust by itself, but arguments and variables that a repository adds do", () => {
  const listed = (text: string) =>
    commands(`agents: {a: {${text}}}`).flatMap(({ what, command }) => (what === "agent" ? [command] : []));
  expect(listed("driver: codex, model: m")).toEqual([]);
  expect(listed("driver: codex, args: [-c, x=1]")).toEqual([["codex", "-c", "x=1"]]);
  expect(listed("driver: codex, env: [KEY]")).toEqual([["codex"]]);
  expect(listed("driver: codex, command: [/opt/codex], args: [-v]")).toEqual([["/opt/codex", "-v"]]);
  expect(listed("driver: scripted, script: x, env: [KEY]")).toEqual([]);
});
