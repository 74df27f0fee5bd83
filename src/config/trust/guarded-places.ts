/**
 * The user's own paths outside every repository that are trusted or executed later: our folders, git's settings, shell
 * startup files, and files that control who may sign in. They are read-only for agents and verify commands, even inside a
 * place that a setting opens. A write to them fails visibly, instead of going to a layer that is thrown away.
 */
import { posix } from "node:path";

export interface OwnFolders {
  /** Our own folders: what is trusted, and where desks and setups are. */
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
  // Git's settings may be set to /dev/null, to which everybody writes.
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
/** Not the whole folder: ssh records new hosts there. */
const signInFiles = [".ssh/authorized_keys", ".ssh/config", ".ssh/rc"];

function below(folder: string, names: readonly string[]): string[] {
  return folder === "" ? [] : names.map((name) => posix.join(folder, name));
}
