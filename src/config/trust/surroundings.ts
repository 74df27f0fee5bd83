/** What a plan is checked against: the agents that exist besides its own, and whether anything can judge a task. */
import type { PlanSurroundings } from "../../plan/check/check.ts";
import { isAuditorRole, resolveAgents } from "../crew/crew-agents.ts";
import type { Profiles } from "../crew/profiles.ts";
import type { Config } from "../file/config.ts";

export function surroundingsOf({
  config,
  profiles,
}: {
  config: Config;
  profiles: Profiles;
}): PlanSurroundings {
  const { candidates } = resolveAgents({ config, profiles, planned: [] });
  const isAuditor = new Set(
    [...config.roles]
      .filter(([role]) => isAuditorRole(role))
      .flatMap(([, players]) => players.map(({ agent }) => agent)),
  );
  const hasAuditor = [...candidates.values()].some(
    ({ name, role }) => isAuditorRole(role) || isAuditor.has(name),
  );
  const { verify, audit } = config.settings;
  return {
    agents: [...candidates.keys()],
    canVerify: verify !== undefined || audit === "none" || hasAuditor,
  };
}
