import { type SpawnSyncReturns, spawnSync } from "node:child_process";

/**
 * Runs npm as from a user's own shell. Under `npm test`, npm tells its children where its project is, and an npm
 * started below would believe it and work on this repository.
 */
export function npm(args: readonly string[], folder: string): SpawnSyncReturns<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|command|config_(local_)?prefix)/.test(name),
    ),
  );
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline"];
  return spawnSync("npm", [...args, ...quiet], { cwd: folder, env, encoding: "utf8", timeout: 240_000 });
}
