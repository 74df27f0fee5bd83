/** Where a user's own state lies, outside every repository: what is trusted must not be something a clone can bring. */
import { homedir } from "node:os";
import { posix } from "node:path";

/** By the XDG rules: a path that is not absolute counts as none. Nothing when there is no home either. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = env;
  if (posix.isAbsolute(state)) return posix.join(state, "coxswain");
  return posix.isAbsolute(home) ? posix.join(home, ".local/state/coxswain") : undefined;
}

/** The same, by what the system knows of the user where the environment says nothing. */
export function ownStateFolder(env: Readonly<Record<string, string | undefined>>): string {
  return stateFolder(env) ?? posix.join(homedir(), ".local/state/coxswain");
}
