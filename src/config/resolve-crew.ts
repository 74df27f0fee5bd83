/**
 * Plan, configuration and profiles → who works: the agents, and for each open task its author and its auditor.
 *
 * Nobody judges his own work, nor preferably that of another agent of the same kind. Where the two would be one, the next auditor is taken; where a task itself names the
 * same agent for both, that is a mistake to be put right and not to be guessed away.
 */
import { assignTasks } from "./assign-tasks.ts";
import type { Crew, CrewSources } from "./crew.ts";
import { resolveAgents } from "./crew-agents.ts";
import { judgeRoles } from "./judge-roles.ts";

export function resolveCrew(sources: CrewSources): Crew {
  const { candidates, problems } = resolveAgents({ ...sources, planned: sources.plan.agents });
  const wrong = new Set(problems.filter(({ severity }) => severity === "blocking").map(({ agent }) => agent));
  const assigned = assignTasks(candidates, { ...sources, broken: wrong });
  const used = new Set([...assigned.assignments.values()].flatMap(({ agent, auditor }) => [agent, auditor]));
  return {
    agents: new Map([...candidates].filter(([name]) => !wrong.has(name))),
    assignments: assigned.assignments,
    // What is wrong with an agent that nobody needs today stops nothing.
    problems: [
      ...problems.map(({ agent, ...problem }) =>
        used.has(agent) ? problem : { ...problem, severity: "warning" as const },
      ),
      ...assigned.problems,
      ...judgeRoles(sources),
    ],
    notes: assigned.notes,
  };
}
