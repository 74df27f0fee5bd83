/** What a person is shown before they say yes to a plan, by `cox approve` and by `cox run`. */
import { commandsOf } from "../config/commands.ts";
import { settingsOf } from "../config/effective-settings.ts";
import type { Trust } from "../config/trust.ts";
import { type ApprovalFacts, approvalText } from "../view/approval.ts";
import type { Paint } from "../view/paint.ts";
import { planWarnings, planWarningsText } from "../view/plan-check.ts";
import { budgetText } from "../view/run-settings.ts";
import type { PreparedRun } from "./prepare-run.ts";

export function approvalFacts(prepared: PreparedRun, trust: Trust): ApprovalFacts {
  const { considered, base, world, uncommitted } = prepared;
  const { checked, crew, config } = considered;
  const { root } = world.repository;
  const { plan, name, notes = [] } = checked;
  const { budget, activeDevelopers } = settingsOf(considered.settings);
  return {
    name,
    title: plan.title,
    base,
    notes,
    budget: budgetText(budget ?? {}) || null,
    slots: activeDevelopers,
    uncommitted,
    warnings: planWarnings(checked),
    tasks: plan.tasks
      .filter(({ isDone }) => !isDone)
      .map(({ id, title, dependsOn }) => ({
        task: id,
        title,
        agent: crew.assignments.get(id)?.agent ?? null,
        auditor: crew.assignments.get(id)?.auditor ?? null,
        depends_on: dependsOn.map((one) => one.name),
      })),
    agents: [...crew.agents.values()].map((agent) => ({
      agent: agent.name,
      role: agent.role,
      driver: agent.driver,
      environment: agent.passEnvironment ?? [],
    })),
    commands: commandsOf({ config, plan }).map(({ what, command, agent, digest }) => ({
      what,
      agent: agent ?? null,
      command,
      is_new: !trust.isKnown({ root, digest }),
    })),
  };
}

/** All of it in words, the warnings last: nearest to the question. */
export function approvalView(facts: ApprovalFacts, { considered }: PreparedRun, paint: Paint): string {
  return approvalText(facts, { paint, warned: planWarningsText(considered.checked, paint) });
}
