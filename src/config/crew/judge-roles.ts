/**
 * Checks that every role exists. A misspelt role would silently turn the only auditor into a developer, so it stops the
 * run, even if no task needs that agent today.
 */
import { plainKey } from "../../plan/read/field.ts";
import { closestName } from "../../std/closest-name.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { CrewProblem, CrewSources } from "./crew.ts";

/** A role ends in one of these: `security-auditor` is an auditor. The name of a project's profile is also a role. */
const kinds = ["developer", "auditor", "verifier"] as const;

export function judgeRoles({ plan, config, profiles }: CrewSources): CrewProblem[] {
  const own = [...profiles.byName.keys()].map(plainKey);
  const said = [
    ...plan.agents.map(({ name, role, at }) => ({ of: whose(name), role, at, source: "plan" as const })),
    ...[...config.agents.values()].flatMap(({ name, role, at }) =>
      role === undefined ? [] : [{ of: whose(name), role, at, source: "config" as const }],
    ),
    ...[...profiles.byName.values()].map(({ path, role }) => ({
      of: `the profile ${oneLine(path, 120)} has`,
      role,
      at: { start: 0, end: 1 },
      source: "config" as const,
    })),
    ...[...config.roles].map(([role, players]) => ({
      of: "roles: names",
      role,
      at: players[0]?.at ?? { start: 0, end: 1 },
      source: "config" as const,
    })),
  ];
  return said.flatMap(({ of, role, at, source }) => {
    const key = plainKey(role);
    if (own.includes(key) || kinds.some((kind) => key.split("-").at(-1) === kind)) return [];
    const near = closestName(key, ["developer", "auditor", ...own]);
    return [
      {
        source,
        code: "ROLE_UNKNOWN",
        severity: "blocking" as const,
        at,
        message: `${of} the role ${quote(role, 60)}, which does not exist`,
        hint: near
          ? `Did you mean ${oneLine(near, 60)}?`
          : `Write developer or auditor; or say what ${oneLine(key, 60)} is to do in .coxswain/agents/${oneLine(key, 60)}.md`,
      },
    ];
  });
}

function whose(name: string): string {
  return `the agent ${oneLine(name, 60)} has`;
}
