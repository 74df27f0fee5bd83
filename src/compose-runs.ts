/** The other half of `main.ts`: names the adapters for runs; loaded only by commands that need them. */
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { RunPorts } from "./cli/begin/run-ports.ts";
import type { AgentsPorts } from "./cli/setup/known-agents.ts";
import type { TestAgentPorts } from "./cli/setup/test-agent.ts";
import { ownStateFolder } from "./config/state-folder.ts";
import { guardedPlaces } from "./config/trust/guarded-places.ts";
import { makeDrivers } from "./driver/drivers.ts";
import { clients } from "./driver/programs/clients.ts";
import { openRepository, repositoryProblem } from "./git/open-repository.ts";
import type { Problem } from "./std/problem.ts";
import { processVerifier } from "./verify/process-verifier.ts";
import { nodeChance } from "./world/chance.ts";
import { bytePath } from "./world/files/byte-path.ts";
import { openFiles } from "./world/files/choose-files.ts";
import { errnoOf } from "./world/files/errno.ts";
import { nodePlainFiles } from "./world/files/node-plain-files.ts";
import { packageRoot, packageVersion } from "./world/files/package-root.ts";
import { realPath } from "./world/files/real-path.ts";
import { nodeFolderTrees } from "./world/folders/node-folder-trees.ts";
import { nodeSetupStore } from "./world/folders/node-setup-store.ts";
import { nodeTemporaryFolders } from "./world/folders/temporary-folder.ts";
import { nodeMachine } from "./world/machine.ts";
import { proxiedFetch } from "./world/network/proxied-fetch.ts";
import { enclosingTurn } from "./world/processes/enclosing-turn.ts";
import { nodeCommands } from "./world/processes/node-commands.ts";
import { processesWithLayers } from "./world/processes/node-processes.ts";
import { pinPrograms } from "./world/processes/program/pinned-programs.ts";
import { nodePrograms } from "./world/processes/program/programs.ts";
import { nodeRunClock } from "./world/time/node-run-clock.ts";
import type { RunClock } from "./world/time/run-clock.ts";

export function composeRuns(environment: Readonly<Record<string, string | undefined>>): RunPorts {
  const pin = (names: readonly string[]) => pinPrograms(environment.PATH, names);
  pin(clients.map(({ program }) => program));
  const clock = nodeRunClock();
  const files = openFiles();
  const drivers = driversOf(environment, clock);
  const cache = cacheFolder(environment);
  const processes = processesIn(cache);
  return {
    packageRoot: packageRoot(),
    drivers: drivers.names,
    programs: nodePrograms,
    environment,
    trustFolder: ownStateFolder(environment),
    user: userInfo().username,
    enclosingTurn: enclosingTurn(environment),
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
        processes,
        drivers,
        repository,
        trees: nodeFolderTrees,
        machine: nodeMachine,
        verifier: processVerifier({ processes, setups, environment }),
        guarded: guardedIn(environment),
        home: environment.HOME ?? "",
        version: packageVersion(),
        pid: process.pid,
        turnServer: [process.execPath, join(packageRoot(), "bin", "cox.js"), "turn-server"] as const,
        pinPrograms: pin,
        removeFolder: (path: string) => nodeFolderTrees.remove(bytePath(path)),
      };
      return { world };
    },
  };
}

/** Checks whether a run could start in a folder. */
export function composeRepositoryLook(
  environment: Readonly<Record<string, string | undefined>>,
): (root: string) => Promise<Problem | undefined> {
  const cache = cacheFolder(environment);
  return (root) => repositoryProblem({ commands: nodeCommands }, { root, cache, environment });
}

/** For listing agents and testing one; no repository is needed. */
export function composeAgents(
  environment: Readonly<Record<string, string | undefined>>,
): AgentsPorts & TestAgentPorts {
  const runClock = nodeRunClock();
  return {
    packageRoot: packageRoot(),
    drivers: driversOf(environment, runClock),
    programs: nodePrograms,
    environment,
    runClock,
    folders: nodeTemporaryFolders,
    guarded: guardedIn(environment),
    enclosingTurn: enclosingTurn(environment),
    typed: process.argv.slice(2),
  };
}

function driversOf(environment: Readonly<Record<string, string | undefined>>, clock: RunClock) {
  const files = { files: nodePlainFiles, deskFiles: openFiles() };
  return makeDrivers({
    processes: processesIn(cacheFolder(environment)),
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

/** Layers go to the cache, which has more room than the folder for temporary files; that one may be in memory. */
function processesIn(cache: string) {
  return processesWithLayers(join(cache, "layers"));
}

/** Only an existing folder can be guarded from agents. If we cannot create it, neither can they. */
function makeIfPossible(folder: string): void {
  try {
    nodeFolderTrees.makeFolder(bytePath(folder));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/**
 * Where desks live: outside the user's tree, following the system's convention. The real path is used, because programs
 * that store conversations by folder use it too.
 */
function cacheFolder({ XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>>): string {
  const real = (path: string) => realPath(path) ?? path;
  const base = XDG_CACHE_HOME?.startsWith("/") ? XDG_CACHE_HOME : join(real(HOME ?? homedir()), ".cache");
  return join(real(base), "coxswain");
}
