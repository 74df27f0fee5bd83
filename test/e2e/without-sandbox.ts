/** Runs a program where nothing can be confined: in a user namespace that allows no further one, as many containers do. */
import { spawnSync } from "node:child_process";
import { canConfine } from "../../src/world/sandbox/confine.ts";

const command = [
  ...["unshare", "--user", "--map-root-user", "--", "sh", "-c"],
  ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"],
] as const;

/** The command to run it under: empty if this machine cannot confine anyway, `undefined` if it cannot be done. */
export function withoutSandbox(): readonly string[] | undefined {
  if (!canConfine()) return [];
  const [unshare, ...args] = command;
  return spawnSync(unshare, [...args, "true"]).status === 0 ? command : undefined;
}
