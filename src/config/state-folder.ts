/** The folder of a user's own state, outside every repository: a clone must not be able to bring its own trust. */
import { homedir } from "node:os";
import { posix } from "node:path";

/** Follows the XDG rules: a path that is not absolute is ignored. Undefined if there is no home either. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = env;
  if (posix.isAbsolute(state)) return posix.join(state, "coxswain");
  return posix.isAbsolute(home) ? posix.join(home, ".local/state/coxswain") : undefined;
}

/** The same, but asks the system for the home folder if the environment does not name one. */
export function ownStateFolder(env: Readonly<Record<string, string | undefined>>): string {
  return stateFolder(env) ?? posix.join(homedir(), ".local/state/coxswain");
}
