/** What a plan is checked against: the agents there are besides its own, and whether anybody could judge a task. */
import type { Surroundings } from "../plan/check.ts";
import type { Config } from "./config.ts";
import { isAuditorRole, resolveAgents } from "./crew-agents.ts";
import type { Profiles } from "./profiles.ts";

export function surroundingsOf({ config, profiles }: { config: Config; profiles: Profiles }): Surroundings {
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
