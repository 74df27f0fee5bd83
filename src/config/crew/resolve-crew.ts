/**
 * Plan, configuration and profiles → the crew: the agents, and an author and an auditor for each open task.
 *
 * No agent judges its own work or, if possible, that of another agent of the same kind. If both would be the same agent,
 * the next auditor is taken. But if a task itself names one agent for both, that is a mistake for the user to fix.
 */
import { assignTasks } from "./assign-tasks.ts";
import type { Crew, CrewSources } from "./crew.ts";
import { resolveAgents } from "./crew-agents.ts";
import { judgeRoles } from "./judge-roles.ts";
import { judgeBudget } from "./uncounted-budget.ts";

export function resolveCrew(sources: CrewSources): Crew {
  const { candidates, problems } = resolveAgents({ ...sources, planned: sources.plan.agents });
  const wrong = new Set(problems.filter(({ severity }) => severity === "blocking").map(({ agent }) => agent));
  const assigned = assignTasks(candidates, { ...sources, broken: wrong });
  const used = new Set([...assigned.assignments.values()].flatMap(({ agent, auditor }) => [agent, auditor]));
  const agents = new Map([...candidates].filter(([name]) => !wrong.has(name)));
  const judged = judgeBudget(sources, { agents, assignments: assigned.assignments });
  return {
    agents,
    assignments: assigned.assignments,
    // A problem with an agent that nobody needs today does not stop the run.
    problems: [
      ...problems.map(({ agent, ...problem }) =>
        used.has(agent) ? problem : { ...problem, severity: "warning" as const },
      ),
      ...assigned.problems,
      ...judgeRoles(sources),
      ...judged.problems,
    ],
    notes: [...assigned.notes, ...judged.notes],
    ...(judged.uncounted && { uncounted: judged.uncounted }),
  };
}
