/**
 * What is the user's own, lies outside every repository, and is believed or run later: our own folders, git's settings, what
 * shells read when they start, who may sign in. Agents and verify commands may not write to it, where the system can hold
 * them to that. What is not there cannot be guarded; homes of agent programs and caches of packages they must write to.
 */
import { posix } from "node:path";

export interface OwnFolders {
  /** Ours: what is trusted, and where desks and setups lie. */
  readonly state: string;
  readonly cache: string;
}

export function guardedPlaces(
  environment: Readonly<Record<string, string | undefined>>,
  { state, cache }: OwnFolders,
): string[] {
  const {
    HOME = "",
    XDG_CONFIG_HOME = "",
    ZDOTDIR = "",
    GIT_CONFIG_GLOBAL = "",
    BASH_ENV = "",
    ENV = "",
  } = environment;
  const config = XDG_CONFIG_HOME || (HOME && `${HOME}/.config`);
  const places = [
    ...[state, cache, GIT_CONFIG_GLOBAL, BASH_ENV, ENV],
    ...below(HOME, [".gitconfig", ...shellFiles, ...zshFiles, ...signInFiles]),
    ...below(config, ["git", "fish/config.fish", "fish/conf.d", "fish/functions"]),
    ...below(ZDOTDIR, zshFiles),
  ];
  // Git reads nothing where it is told to read /dev/null, and everybody writes there.
  return places.filter((path) => posix.isAbsolute(path) && !path.startsWith("/dev/"));
}

const shellFiles = [
  ".profile",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".kshrc",
  ".inputrc",
];
const zshFiles = [".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"];
/** Not the whole folder: whoever meets a host for the first time notes it there. */
const signInFiles = [".ssh/authorized_keys", ".ssh/config", ".ssh/rc"];

function below(folder: string, names: readonly string[]): string[] {
  return folder === "" ? [] : names.map((name) => posix.join(folder, name));
}
