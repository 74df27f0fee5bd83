/** What a person sees before they approve a plan, in `cox approve` and in `cox run`. */

import { settingsOf } from "../../config/settings/effective-settings.ts";
import { commandsOf } from "../../config/trust/commands.ts";
import type { Trust } from "../../config/trust/trust.ts";
import { type ApprovalFacts, approvalText } from "../../view/approval/approval.ts";
import { planWarnings, planWarningsText } from "../../view/approval/plan-check.ts";
import { budgetText, runSettings } from "../../view/run-settings.ts";
import type { Paint } from "../../view/text/paint.ts";
import type { PreparedRun } from "./prepare-run.ts";

export function approvalFacts(prepared: PreparedRun, trust: Trust): ApprovalFacts {
  const { considered, base, world, uncommitted } = prepared;
  const { checked, crew, config, commandLine } = considered;
  const { root } = world.repository;
  const { plan, name, notes = [] } = checked;
  const { budget, activeDevelopers } = settingsOf(considered.settings);
  return {
    name,
    settings: runSettings({
      settings: commandLine.settings,
      origins: {},
      budget: commandLine.settings.budget ?? {},
    }).map(({ setting, value, text }) => ({ setting, value, text })),
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
    commands: commandsOf({ config, plan, typed: commandLine.settings }).map(
      ({ what, command, agent, digest }) => ({
        what,
        agent: agent ?? null,
        command,
        is_new: !trust.isKnown({ root, digest }),
      }),
    ),
  };
}

/** The whole view as text. Warnings come last, closest to the question. */
export function approvalView(facts: ApprovalFacts, { considered }: PreparedRun, paint: Paint): string {
  return approvalText(facts, { paint, warned: planWarningsText(considered.checked, paint) });
}
