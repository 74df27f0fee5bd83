/** The other half of `main.ts`: names the adapters that runs need, loaded only by commands that need them. */
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { AgentsMeans } from "./cli/known-agents.ts";
import type { RunMeans } from "./cli/run-means.ts";
import type { TestMeans } from "./cli/test-agent.ts";
import { guardedPlaces } from "./config/guarded-places.ts";
import { ownStateFolder } from "./config/state-folder.ts";
import { makeDrivers } from "./driver/drivers.ts";
import { openRepository, repositoryProblem } from "./git/open-repository.ts";
import type { Problem } from "./std/problem.ts";
import { processVerifier } from "./verify/process-verifier.ts";
import { bytePath } from "./world/byte-path.ts";
import { openFiles } from "./world/choose-files.ts";
import { errnoOf } from "./world/errno.ts";
import { nodeMachine } from "./world/machine.ts";
import { nodeChance } from "./world/node-chance.ts";
import { nodeCommands } from "./world/node-commands.ts";
import { nodeFolderTrees } from "./world/node-folder-trees.ts";
import { nodePlainFiles } from "./world/node-plain-files.ts";
import { nodeProcesses } from "./world/node-processes.ts";
import { nodeRunClock } from "./world/node-run-clock.ts";
import { nodeSetupStore } from "./world/node-setup-store.ts";
import { packageRoot, packageVersion } from "./world/package-root.ts";
import { nodePrograms } from "./world/programs.ts";
import { proxiedFetch } from "./world/proxied-fetch.ts";
import { realPath } from "./world/real-path.ts";
import type { RunClock } from "./world/run-clock.ts";
import { nodeTemporaryFolders } from "./world/temporary-folder.ts";
import { turnAround } from "./world/turn-around.ts";

export function composeRuns(environment: Readonly<Record<string, string | undefined>>): RunMeans {
  const clock = nodeRunClock();
  const files = openFiles();
  const drivers = driversOf(environment, clock);
  const cache = cacheFolder(environment);
  return {
    packageRoot: packageRoot(),
    drivers: drivers.names,
    programs: nodePrograms,
    environment,
    trustFolder: ownStateFolder(environment),
    user: userInfo().username,
    turnAround: turnAround(environment),
    typed: process.argv.slice(2),
    realPath,
    async openWorld(root) {
      const opened = await openRepository(
        { commands: nodeCommands, trees: nodeFolderTrees },
        { root, cache, environment },
      );
      if ("problem" in opened) return opened;
      const { repository } = opened;
      makeIfPossible(ownStateFolder(environment));
      const setups = nodeSetupStore(join(cache, "setups"));
      const world = {
        files,
        clock,
        chance: nodeChance,
        processes: nodeProcesses,
        drivers,
        repository,
        trees: nodeFolderTrees,
        machine: nodeMachine,
        verifier: processVerifier({ processes: nodeProcesses, setups, environment }),
        guarded: guardedIn(environment),
        version: packageVersion(),
        pid: process.pid,
        turnServer: [process.execPath, join(packageRoot(), "bin", "cox.js"), "turn-server"] as const,
        removeFolder: (path: string) => nodeFolderTrees.remove(bytePath(path)),
      };
      return { world };
    },
  };
}

/** For looking whether a run could begin in a folder. */
export function composeRepositoryLook(
  environment: Readonly<Record<string, string | undefined>>,
): (root: string) => Promise<Problem | undefined> {
  const cache = cacheFolder(environment);
  return (root) => repositoryProblem({ commands: nodeCommands }, { root, cache, environment });
}

/** For looking at agents and trying one: no repository is needed. */
export function composeAgents(
  environment: Readonly<Record<string, string | undefined>>,
): AgentsMeans & TestMeans {
  const runClock = nodeRunClock();
  return {
    packageRoot: packageRoot(),
    drivers: driversOf(environment, runClock),
    programs: nodePrograms,
    environment,
    runClock,
    folders: nodeTemporaryFolders,
    guarded: guardedIn(environment),
    turnAround: turnAround(environment),
    typed: process.argv.slice(2),
  };
}

function driversOf(environment: Readonly<Record<string, string | undefined>>, clock: RunClock) {
  const files = { files: nodePlainFiles, deskFiles: openFiles() };
  return makeDrivers({
    processes: nodeProcesses,
    ...files,
    fetch: proxiedFetch(environment),
    clock,
    environment,
  });
}

function guardedIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  return guardedPlaces(environment, {
    state: ownStateFolder(environment),
    cache: cacheFolder(environment),
  });
}

/** Only what is there can be guarded from agents; where it cannot be made, they cannot make it either. */
function makeIfPossible(folder: string): void {
  try {
    nodeFolderTrees.makeFolder(bytePath(folder));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Where desks live: outside the user's tree, by the convention of the system. */
function cacheFolder({ XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>>): string {
  const base = XDG_CACHE_HOME?.startsWith("/") ? XDG_CACHE_HOME : join(HOME ?? homedir(), ".cache");
  return join(base, "coxswain");
}
