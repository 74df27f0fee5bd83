/** The beginning of a run: everything it depends on is copied into its folder, pinned in git, and recorded. */

import { agentKind } from "../config/agent-kind.ts";
import { settingsOf } from "../config/effective-settings.ts";
import type { Inputs } from "../config/inputs.ts";
import { taskSettings } from "../config/task-settings.ts";
import type { Commit } from "../git/repository.ts";
import type { Decider } from "../kernel/decider.ts";
import type { AgentFacts, RunSettings, RunStarted, TaskFacts } from "../kernel/run-started.ts";
import { idFromTitle } from "../plan/id.ts";
import type { Task } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import type { ConsideredPlan } from "./consider-plan.ts";
import { Coordinator } from "./coordinator.ts";
import { handsOf, type OpenRun, opened, openJournal } from "./open-run.ts";
import { RunFolder } from "./run-folder.ts";
import { keepInputs, readInputs } from "./run-inputs.ts";
import type { RunWorld } from "./run-world.ts";

export interface Beginning {
  readonly considered: ConsideredPlan;
  readonly inputs: Inputs;
  readonly base: Commit;
  readonly by: Decider;
}

export async function startRun(world: RunWorld, beginning: Beginning): Promise<OpenRun> {
  const { considered, inputs, base, by } = beginning;
  const { files, repository, chance, clock, version, pid } = world;
  const run = runName(considered.checked.plan.title, chance.id(6));
  await repository.beginRun(run, base);
  const folder = await RunFolder.make(files, repository.root, run);
  await keepInputs(folder, inputs.documents);
  const journal = openJournal(world, folder);
  try {
    const started: RunStarted = {
      run,
      title: considered.checked.plan.title,
      plan_file: considered.checked.name,
      plan_sha256: inputs.digests.plan,
      config_sha256: inputs.digests.config,
      base,
      base_tree: await repository.treeOf(base),
      branch: `cox/${run}`,
      by,
      settings: runSettings(considered),
      agents: agentFacts(considered),
      tasks: taskFacts(considered, Math.floor(clock.now() / 1000)),
    };
    const coordinator = new Coordinator({ clock, journal });
    const admitted = coordinator.submit({ command: "start", run: started });
    assert(!("refused" in admitted), "a new run can begin");
    coordinator.submit({ command: "open-session", pid, version, replayed: 0, recovered: [] });
    coordinator.equip(handsOf(world, folder, readInputs(folder, coordinator.state)));
    await coordinator.durable();
    return opened(folder, journal, coordinator);
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** Names a branch, a folder and a mark in the environment: short, ASCII, and no other run's. */
function runName(title: string, suffix: string): string {
  const slug = idFromTitle(title)
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 24)
    .replace(/-+$/, "");
  return slug === "" ? suffix : `${slug}-${suffix}`;
}

function runSettings({ settings }: ConsideredPlan): RunSettings {
  const plain = settingsOf(settings);
  return {
    active_developers: plain.activeDevelopers,
    reply_attempts: plain.replyAttempts,
    turn_attempts: plain.turnAttempts,
    audit_attempts: plain.auditAttempts,
    turn_timeout_ms: plain.turnTimeoutMs,
    stall_timeout_ms: plain.stallTimeoutMs,
    verify_timeout_ms: plain.verifyTimeoutMs,
    checkpoint_interval_ms: plain.checkpointIntervalMs,
    schedule: plain.schedule,
    on_question: plain.onQuestion,
    budget: plain.budget ?? {},
    confirm_deletes: plain.confirmDeletes,
    confirm_sensitive: plain.confirmSensitive,
    on_outside_change: plain.onOutsideChange,
    verify_base: plain.verifyBase,
    setup: plain.setup ?? [],
    verify: plain.verify ?? [],
  };
}

/** Of those that a task can come to. */
function agentFacts({ crew }: ConsideredPlan): AgentFacts[] {
  const used = new Set<string | undefined>();
  for (const { agent, auditor, agents = [], auditors = [] } of crew.assignments.values())
    for (const name of [agent, auditor, ...agents, ...auditors]) used.add(name);
  return [...crew.agents.values()].flatMap((agent) =>
    used.has(agent.name) ? [{ name: agent.name, kind: agentKind(agent) }] : [],
  );
}

function taskFacts({ checked, settings, crew }: ConsideredPlan, seconds: number): TaskFacts[] {
  return checked.plan.tasks.map((task) => {
    return {
      ...factsOf(task, seconds),
      agent: "",
      ...crew.assignments.get(task.id),
      ...limits(task),
    };
  });

  function limits(task: Task) {
    const { verify, priority, timeoutMs, attempts } = taskSettings(task, settings);
    const isSet = task.attempts !== undefined || settings.attempts !== undefined;
    return {
      verify,
      priority,
      timeout_ms: timeoutMs,
      ...(isSet ? { attempts } : {}),
      ...(task.budget === undefined ? {} : { budget: task.budget }),
      ...(task.isDone ? { done: true as const } : {}),
    };
  }
}

function factsOf({ id, key, title, dependsOn, writes, deletes, shares }: Task, seconds: number) {
  return {
    task: id,
    key,
    task_id: `${id}_${seconds}`,
    title,
    depends_on: dependsOn.map(({ name }) => name as Task["id"]),
    writes,
    deletes,
    shares,
  };
}
