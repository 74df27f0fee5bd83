/** Where a user's own state lies, outside every repository: what is trusted must not be something a clone can bring. */
import { posix } from "node:path";

/** By the XDG rules: a path that is not absolute counts as none. Nothing when there is no home either. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = env;
  if (posix.isAbsolute(state)) return posix.join(state, "coxswain");
  return posix.isAbsolute(home) ? posix.join(home, ".local/state/coxswain") : undefined;
}
