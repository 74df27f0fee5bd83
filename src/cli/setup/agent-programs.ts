/**
 * The agent programs that we know how to drive: which are installed, in which version, and whether the user seems to be
 * signed in. Each program is only asked for its version, and no credential is read.
 */
import { join } from "node:path";
import { clients } from "../../driver/programs/clients.ts";
import { type SignIn, type SignInLook, signInOf } from "../../driver/sign-in.ts";
import { oneLine } from "../../std/printable.ts";
import type { Files } from "../../world/files/files.ts";
import { isFile } from "../../world/files/is-file.ts";
import type { Programs } from "../../world/processes/program/programs.ts";

export interface AgentProgram {
  /** What to write as `driver:`. */
  readonly driver: string;
  readonly title: string;
  readonly program: string;
  /** The commands a person types to install it and to sign in. */
  readonly install: string;
  readonly signIn: string;
  /** `undefined`: not installed. Empty: installed, but it did not report a version. */
  readonly version: string | undefined;
  readonly signedIn: SignIn;
}

export interface InstalledAgent extends AgentProgram {
  readonly version: string;
}

export interface AgentProgramsPorts {
  readonly programs: Programs;
  readonly files: Files;
  /** Our own environment. Only the names of variables are checked, and no value is kept. */
  readonly environment: SignInLook["environment"];
}

export function agentPrograms({ programs, files, environment }: AgentProgramsPorts): AgentProgram[] {
  const look = { environment, isFile: (path: string) => isFile(files, path) };
  return clients.map(({ name, title, program, install, signIn }) => {
    const said = programs.ask(program, "--version");
    const isThere = said !== undefined || isInPath(files, { environment, program });
    const version = isThere ? versionIn(said ?? "") : undefined;
    return { driver: name, title, program, install, signIn, version, signedIn: signInOf(name, look) };
  });
}

/** Whether the program is in the PATH. Does not start it. */
export function isInPath(
  files: Files,
  { environment, program }: { environment: AgentProgramsPorts["environment"]; program: string },
): boolean {
  const folders = (environment.PATH ?? "").split(":").filter((part) => part.startsWith("/"));
  return folders.some((folder) => isFile(files, join(folder, program)));
}

export function installedAgents(ports: AgentProgramsPorts): InstalledAgent[] {
  return agentPrograms(ports).filter((one): one is InstalledAgent => one.version !== undefined);
}

export function signInWords({ signedIn }: Pick<AgentProgram, "signedIn">): string {
  return signedIn.state === "yes" ? `signed in: ${signedIn.by}` : "signed in: unknown";
}

function versionIn(said: string): string {
  return oneLine(/\d+(?:\.\d+)+[\w.-]*/.exec(said)?.[0] ?? "", 40);
}
