/** All attempts, in the order of the page. */
import type { Attempt } from "./attempt.ts";
import { files } from "./attempts/files.ts";
import { later } from "./attempts/later.ts";
import { machine } from "./attempts/machine.ts";
import { mounts } from "./attempts/mounts.ts";
import { places } from "./attempts/places.ts";
import { processes } from "./attempts/processes.ts";
import { programHomes } from "./attempts/program-homes.ts";
import { sockets } from "./attempts/sockets.ts";

export const attempts: Readonly<Record<string, readonly Attempt[]>> = {
  "Files of the user": files,
  "What is run or trusted later": later,
  "What agent programs obey, played by their own drivers": programHomes,
  "Mounts and namespaces": mounts,
  "Processes and the environment": processes,
  "Sockets, terminals and memory": sockets,
  "The machine": machine,
  "Places of coxswain and of the turn": places,
};

export const allAttempts: readonly Attempt[] = Object.values(attempts).flat();
