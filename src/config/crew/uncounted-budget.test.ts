import { expect, test } from "vitest";
import { parsePlan } from "../../plan/read/parse.ts";
import { readConfig } from "../file/read-config.ts";
import { defaultSettings } from "../settings/default-settings.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { surroundingsOf } from "../trust/surroundings.ts";
import { mergeProfiles } from "./profiles.ts";
import { resolveCrew } from "./resolve-crew.ts";
import { uncountedProblem } from "./uncounted-budget.ts";

const { profiles } = mergeProfiles([
  { origin: "shipped", path: "profiles/developer.md", text: "You develop." },
  { origin: "shipped", path: "profiles/auditor.md", text: "---\nx-cox:\n  role: auditor\n---\nYou audit." },
]);

const claude = "  claude: { driver: claude-code }\n";
const dev = "  dev: { driver: command, command: [node, dev.mjs] }\n";
const aud = "  aud: { profile: auditor, driver: model, model: who-knows }\n";
const two = "## Tasks\n- [ ] one\n- [ ] two\n";

interface Given {
  readonly agents: string;
  readonly top?: string;
  readonly plan?: string;
  readonly reporting?: ReadonlySet<string>;
}

function crewOf({ agents, top = "", plan: text = two, reporting }: Given) {
  const { config, problems } = readConfig(`${top}agents:\n${agents}`);
  expect(problems).toEqual([]);
  const parsed = parsePlan(text, surroundingsOf({ config, profiles }));
  expect(parsed.problems.filter(({ code }) => code === "SCHEMA_RANGE")).toEqual([]);
  const { plan } = parsed;
  const said = { config: config.settings, plan: plan.settings };
  const settings = effectiveSettings({ defaults: defaultSettings, ...said });
  return resolveCrew({ plan, config, profiles, settings, ...(reporting && { reporting }) });
}

const warnings = (given: Given) =>
  crewOf(given)
    .problems.filter(({ code }) => code === "COST_UNKNOWN")
    .map(({ message, hint, severity }) => `${severity}: ${message} | ${hint}`);

test("a budget in money is warned about if an agent has an unknown cost, with the way out", () => {
  const [only, ...others] = warnings({ agents: dev, top: "budget: 1 USD\n" });
  expect(others).toEqual([]);
  expect(only).toMatch(/^warning: a budget of 1 USD is set, but the cost of dev is unknown/);
  expect(only).toMatch(/COX USAGE: .*, or limit turns or time too: budget: 1 USD, 10 turns$/);
});

test("the warning about unknown cost also names auditors and agents further down the fallback order", () => {
  const roles = "roles: { developer: [claude, dev], auditor: [aud] }\n";
  const told = warnings({ agents: claude + dev + aud, top: `budget: 1 USD\n${roles}` });
  expect(told).toEqual([
    expect.stringMatching(/the cost of (dev|aud) is unknown/),
    expect.stringMatching(/the cost of (dev|aud) is unknown/),
  ]);
  expect(told.join()).toMatch(/prices: \{ who-knows: /);
});

test("unknown costs are not warned about without a budget in money, or where every cost is known", () => {
  expect(crewOf({ agents: dev }).uncounted).toBeUndefined();
  expect(crewOf({ agents: dev, top: "budget: 5 turns\n" }).notes.join()).not.toMatch(/cost/);
  expect(warnings({ agents: claude, top: "budget: 1 USD\n" })).toEqual([]);
  expect(warnings({ agents: dev, top: "budget: 1 USD\n", reporting: new Set(["dev"]) })).toEqual([]);
});

test.each(["1 USD, 40 turns", "40 turns, $1", "1 USD, 2 h", "1 USD, 200k tokens, 40 turns, 1h 30m"])(
  "with a limit of turns or time beside it, a budget in money is not warned about, wherever it stands: %s",
  (budget) => {
    for (const given of [
      { agents: dev, top: `budget: ${budget}\n` },
      { agents: dev, plan: `---\nbudget: ${budget}\n---\n${two}` },
      { agents: dev, plan: `## Tasks\n### one\n- Budget: ${budget}\n` },
    ]) {
      const { uncounted, notes } = crewOf(given);
      expect(uncounted).toBeUndefined();
      expect(warnings(given)).toEqual([]);
      expect(notes.join()).toMatch(/the cost of dev is unknown/);
    }
  },
);

test("a task's own budget in money needs a limit of turns or time too, its own or the run's", () => {
  const plan = "## Tasks\n### one\n- Budget: 1 USD\n";
  const { uncounted } = crewOf({ agents: dev, plan });
  expect(uncounted && uncountedProblem(uncounted)).toMatchObject({
    code: "BUDGET_UNCOUNTED",
    message: expect.stringMatching(/the budget of 1 USD of "one" could not end the run/),
    hint: "Limit turns or time too: Budget: 1 USD, 10 turns",
  });
  expect(crewOf({ agents: dev, plan, top: "budget: 40 turns\n" }).uncounted).toBeUndefined();
});

test("a token limit beside a budget in money is not enough, because the agent may report no tokens", () => {
  const { uncounted } = crewOf({ agents: dev, top: "budget: 1 USD, 200k tokens\n" });
  expect(uncounted && uncountedProblem(uncounted).hint).toContain("budget: 1 USD, 200,000 tokens, 10 turns");
});
