/** Small plans with random settings. Two to six tasks are enough for every course a run can take. */
import type { RecordedAgent, RecordedTask, RunSettings, RunStarted } from "../../src/kernel/run-started.ts";
import type { TaskId } from "../../src/plan/plan.ts";
import type { CommitId, TreeId } from "../../src/std/object-id.ts";
import type { Random } from "../crash/random.ts";

/** The files before the run. */
export function baseFiles(): Record<string, string> {
  const old = names.map((name) => [`old-${name}.txt`, `the old ${name}\n`] as const);
  return {
    ".gitignore": "*.log\n",
    "AGENTS.md": "be kind\n",
    "shared.txt": "all of us\n",
    ...Object.fromEntries(old),
  };
}

const names = ["a", "b", "c", "d", "e", "f"] as const;

export function anyPlan(random: Random, base: { commit: CommitId; tree: TreeId }): RunStarted {
  const count = 2 + random.below(random.chance(0.15) ? 5 : 2);
  const settings = anySettings(random);
  return {
    run: "r1",
    title: "a simulated plan",
    plan_file: "plan.md",
    plan_sha256: "0".repeat(64),
    config_sha256: "1".repeat(64),
    base: base.commit,
    base_tree: base.tree,
    branch: "cox/r1",
    by: { who: "ana", door: "command" },
    settings,
    agents: crew.map((name) => anyAgent(name, pick(random, ["one", "other"] as const))),
    tasks: names.slice(0, count).map((name, position) => anyTask(random, name, names.slice(0, position))),
  };
}

/** Only slightly shorter than the limit for all turns, so that seeds kept earlier still show what they were kept for. */
function anyAgent(name: string, kind: "one" | "other"): RecordedAgent {
  return { name, kind, account: `of ${kind}`, ...(kind === "other" ? { timeout_ms: 119_000 } : {}) };
}

function anySettings(random: Random): RunSettings {
  const settings = rolledSettings(random);
  // Draws no random number of its own, so that seeds kept earlier still show what they were kept for.
  return settings.setup.length > 0 ? { ...settings, verify_base: true } : settings;
}

function rolledSettings(random: Random): RunSettings {
  return {
    active_developers: 1 + random.below(3),
    reply_attempts: 2 + random.below(2),
    turn_attempts: 2 + random.below(2),
    audit_attempts: 2 + random.below(2),
    turn_timeout_ms: 120_000,
    stall_timeout_ms: 60_000,
    checkpoint_interval_ms: random.chance(0.3) ? 3_000 : 0,
    schedule: random.chance(0.2) ? "levels" : "flow",
    on_question: random.chance(0.2) ? "hold-all" : "hold-affected",
    budget: random.chance(0.3) ? anyBudget(random) : {},
    confirm_deletes: pick(random, ["ask", "ask", "declared", "always-allow", "never"] as const),
    confirm_sensitive: pick(random, ["ask", "ask", "declared"] as const),
    ...(random.chance(0.2) ? { on_outside_change: "fail" as const } : {}),
    setup: random.chance(0.2) ? ["install"] : [],
    verify: random.chance(0.6) ? ["whole"] : [],
  };
}

function anyBudget(random: Random): RunSettings["budget"] {
  return pick(random, [
    { turns: 2 + random.below(6) },
    { tokens: 200 + random.below(1500) },
    { usdMicros: 2_000 + random.below(15_000) },
    { timeMs: 10_000 + random.below(60_000) },
    { turns: 8, tokens: 2_000 },
  ]);
}

function anyTask(random: Random, name: string, before: readonly string[]): RecordedTask {
  const isDeclared = random.chance(0.35);
  const writes = isDeclared ? [`${name}.txt`, ...(random.chance(0.4) ? ["shared.txt"] : [])] : [];
  if (isDeclared && random.chance(0.2)) writes.push("AGENTS.md");
  const isAudited = random.chance(0.4);
  const [agent = "", ...stepIn] = shuffled(random, ["desk", "operations", "both"]);
  // Somebody is left to judge, whoever stood in as developer.
  const [auditor = "", ...standIn] = agent === "both" ? ["auditor", "desk"] : ["auditor", "both", "desk"];
  const isBacked = random.chance(0.5);
  const isJudgeBacked = random.chance(0.5);
  return {
    task: name as TaskId,
    key: name,
    task_id: `${name}_0`,
    title: `the ${name}`,
    agent,
    ...(isBacked ? { agents: [agent, ...stepIn] } : {}),
    ...(isAudited ? { auditor } : {}),
    ...(isAudited && isJudgeBacked ? { auditors: [auditor, ...standIn] } : {}),
    depends_on: before.filter(() => random.chance(0.3)) as TaskId[],
    priority: pick(random, ["critical", "high", "normal", "low"] as const),
    writes,
    deletes: random.chance(0.2) ? [`old-${name}.txt`] : [],
    shares: random.chance(0.1) ? ["database"] : [],
    verify: random.chance(0.85) ? ["check"] : [],
    ...(random.chance(0.1) ? { timeout_ms: 20_000 } : {}),
    ...(random.chance(0.1) ? { attempts: 2 } : {}),
    ...(random.chance(0.08) ? { budget: { turns: 2 } } : {}),
    ...(random.chance(0.04) ? { done: true as const } : {}),
  };
}

const crew = ["desk", "operations", "both", "auditor"] as const;

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const left = [...values];
  return values.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.below(choices.length)] as T;
}
