/**
 * Confines a program with bubblewrap, which does what `unshare` does where a system lets only programs it knows make
 * namespaces.
 *
 * Its own number 1 stays in front of the program, so signals are delivered.
 */
import {
  type Confined,
  type ConfinementWish,
  confinementHeld,
  environmentRepairs,
  realFolders,
  systemProgram,
  toldOn,
} from "./confinement-wish.ts";

/** Nothing where it is not installed. */
export function bwrapArgv(wish: ConfinementWish): Confined | undefined {
  const [bwrap, env, sh] = ["bwrap", "env", "sh"].map(systemProgram);
  if (!bwrap || !env || !sh) return undefined;
  const { guarded, open } = realFolders(wish.confinement);
  const args = [
    ...["--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--die-with-parent"],
    // Root would keep what it takes to undo the mounts; others have nothing to drop.
    ...["--unshare-user", "--cap-drop", "ALL"],
    ...guarded.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...open.flatMap((folder) => ["--bind", folder, folder]),
    ...["--chdir", wish.folder, "--", sh, "-c", script, "sh"],
    ...[env, ...environmentRepairs(wish.environment), ...wish.argv],
  ];
  return { argv: [bwrap, ...args] };
}

/** It mounts everything or starts nothing. */
const script = `echo ${confinementHeld} >&${toldOn}; exec "$@" ${toldOn}>&-`;
