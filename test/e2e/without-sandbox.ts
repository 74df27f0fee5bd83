/** Runs a program where nobody can be confined: in a user namespace that allows no further one, as many containers do. */
import { spawnSync } from "node:child_process";
import { canConfine } from "../../src/world/confine.ts";

const command = [
  ...["unshare", "--user", "--map-root-user", "--", "sh", "-c"],
  ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"],
] as const;

/** What to run it under; nothing to add where the machine confines nobody anyway, nothing at all where it cannot be had. */
export function withoutSandbox(): readonly string[] | undefined {
  if (!canConfine()) return [];
  const [unshare, ...args] = command;
  return spawnSync(unshare, [...args, "true"]).status === 0 ? command : undefined;
}
