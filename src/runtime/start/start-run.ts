/** Starts a run: copies everything it depends on into its folder, pins it in git, and records it. */

import { agentAccount } from "../../config/crew/agent-account.ts";
import type { CrewAgent } from "../../config/crew/crew.ts";
import { agentKind } from "../../config/crew/crew.ts";
import { settingsOf } from "../../config/settings/effective-settings.ts";
import { taskSettings } from "../../config/settings/task-settings.ts";
import type { Inputs } from "../../config/trust/inputs.ts";
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import type { RecordedAgent, RecordedTask, RunSettings, RunStarted } from "../../kernel/run-started.ts";
import { idFromTitle } from "../../plan/id.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { assert } from "../../std/assert.ts";
import type { CommitId } from "../../std/object-id.ts";
import { present } from "../../std/present.ts";
import { runTitle } from "../../view/run-title.ts";
import { RunFolder } from "../folder/run-folder.ts";
import { keepInputs, readInputs } from "../folder/run-inputs.ts";
import { Coordinator } from "../loop/coordinator.ts";
import type { RunWorld } from "../run-world.ts";
import type { ConsideredPlan } from "./consider-plan.ts";
import { type OpenRun, opened, openJournal, portsOf } from "./open-run.ts";

export interface StartRunRequest {
  readonly considered: ConsideredPlan;
  readonly inputs: Inputs;
  readonly base: CommitId;
  readonly by: DecisionMaker;
}

export async function startRun(world: RunWorld, beginning: StartRunRequest): Promise<OpenRun> {
  const { considered, inputs, base, by } = beginning;
  const { files, repository, chance, clock, version, pid } = world;
  const { plan, name } = considered.checked;
  const title = runTitle({ title: plan.title, plan_file: name });
  const run = runName(title, chance.id(6));
  await repository.beginRun(run, base);
  const folder = await RunFolder.make(files, repository.root, run);
  await keepInputs(folder, inputs.documents);
  const journal = openJournal(world, folder);
  try {
    const started: RunStarted = {
      run,
      title,
      plan_file: name,
      plan_sha256: inputs.digests.plan,
      config_sha256: inputs.digests.config,
      base,
      base_tree: await repository.treeOf(base),
      branch: `cox/${run}`,
      by,
      settings: runSettings(considered),
      agents: recordedAgents(considered),
      tasks: recordedTasks(considered, Math.floor(clock.now() / 1000)),
    };
    const coordinator = new Coordinator({ clock, journal });
    const admitted = coordinator.submit({ command: "start", run: started });
    assert(!("refused" in admitted), "a new run can begin");
    coordinator.submit({
      command: "open-session",
      pid,
      version,
      replayed: 0,
      recovered: [],
      isWorking: true,
    });
    coordinator.connect(portsOf(world, folder, readInputs(folder, coordinator.state)));
    await coordinator.durable();
    return opened(folder, journal, coordinator);
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** The name is used for a branch, a folder and an environment variable, so it is short, ASCII and unique. */
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
    ...(plain.alsoWritable && { also_writable: plain.alsoWritable }),
    setup: plain.setup ?? [],
    verify: plain.verify ?? [],
  };
}

/** Only for agents that a task may be assigned to. */
function recordedAgents({ crew }: ConsideredPlan): RecordedAgent[] {
  const used = new Set<string | undefined>();
  for (const { agent, auditor, agents = [], auditors = [] } of crew.assignments.values())
    for (const name of [agent, auditor, ...agents, ...auditors]) used.add(name);
  return [...crew.agents.values()].flatMap((agent) => (used.has(agent.name) ? [recordedAgent(agent)] : []));
}

function recordedAgent(agent: CrewAgent): RecordedAgent {
  const { name, timeoutMs } = agent;
  return {
    name,
    kind: agentKind(agent),
    account: agentAccount(agent),
    ...present({ timeout_ms: timeoutMs }),
  };
}

function recordedTasks({ checked, settings, crew }: ConsideredPlan, seconds: number): RecordedTask[] {
  return checked.plan.tasks.map((task) => {
    return {
      ...factsOf(task, seconds),
      agent: "",
      ...crew.assignments.get(task.id),
      ...limits(task),
    };
  });

  function limits(task: PlanTask) {
    const { verify, priority, timeoutMs, attempts } = taskSettings(task, settings);
    const isSet = task.attempts !== undefined || settings.attempts !== undefined;
    return {
      verify,
      priority,
      ...present({ timeout_ms: timeoutMs }),
      ...(isSet ? { attempts } : {}),
      ...(task.budget === undefined ? {} : { budget: task.budget }),
      ...(task.isDone ? { done: true as const } : {}),
    };
  }
}

function factsOf({ id, key, title, dependsOn, writes, deletes, shares }: PlanTask, seconds: number) {
  return {
    task: id,
    key,
    task_id: `${id}_${seconds}`,
    title,
    depends_on: dependsOn.map(({ name }) => name as PlanTask["id"]),
    writes,
    deletes,
    shares,
  };
}
