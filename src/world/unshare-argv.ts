/**
 * Confines a program with what Linux gives every user: namespaces, through the `unshare` program.
 *
 * It sees its own mounts, where what is read-only is so whatever it does, and its own process numbers, where the
 * end of number 1 is the end of all: a grandchild in a session of its own, too. Number 1 is a small shell, not the
 * program: a signal that number 1 does not handle is not delivered to it, so SIGTERM would never end it.
 */
import {
  type ConfinementWish,
  confinementHeld,
  environmentRepairs,
  realFolders,
  systemProgram,
  toldOn,
} from "./confinement-wish.ts";
import { isInside, type Mount, mountOf, mountTable } from "./mount-table.ts";
import type { Confinement } from "./processes.ts";

/** Nothing where a program for it is missing. */
export function unshareArgv(wish: ConfinementWish): [string, ...string[]] | undefined {
  const [unshare, mount, env, sh] = ["unshare", "mount", "env", "sh"].map(systemProgram);
  if (!unshare || !mount || !env || !sh) return undefined;
  const { binds, remounts } = mountsFor(wish.confinement);
  const namespaces = [
    "--user",
    "--map-root-user",
    "--mount",
    "--propagation=private",
    "--pid",
    "--mount-proc",
  ];
  // Who is root of a namespace may undo its mounts. In one more, below it, the program is its own user again and
  // root of nothing that matters.
  const itself = ["--user", `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`];
  return [
    ...endsWithUs(),
    ...[unshare, ...namespaces, "--fork", "--kill-child=SIGKILL"],
    ...["--", sh, "-c", script, "sh", mount, ...binds, "--", ...remounts.flat(), "--"],
    ...[unshare, ...itself, `--wd=${wish.folder}`],
    ...["--", env, ...environmentRepairs(wish.environment), ...wish.argv],
  ] as [string, ...string[]];
}

/** A coordinator that is killed leaves nobody behind, where there is a program that can ask the kernel for it. */
function endsWithUs(): string[] {
  const setpriv = systemProgram("setpriv");
  return setpriv ? [setpriv, "--pdeathsig=SIGKILL", "--"] : [];
}

/**
 * The writable places are mounted before anything becomes read-only: should a step fail, the program can still
 * work, only less confined, and that is told.
 *
 * Its working folder is entered by path after all of it: what was entered before is beneath the mounts and writable.
 * A shell writes "Killed" and the like to its stderr, which is not the program's, but nowhere; the parentheses
 * keep it so while the program runs.
 */
const script = `
exec 4>&2 2>/dev/null
trap 'exit 143' TERM
mount=$1 held=${confinementHeld}; shift
while [ "$1" != -- ]; do "$mount" --rbind "$1" "$1" || held=no; shift; done; shift
while [ "$1" != -- ]; do "$mount" -o "$1" "$2" || held=no; shift 2; done; shift
echo "$held" >&${toldOn}
(exec "$@" 2>&4 ${toldOn}>&- 4>&-)
exit "$?"
`;

interface Mounts {
  readonly binds: readonly string[];
  readonly remounts: readonly (readonly [options: string, point: string])[];
}

/** A bind leaves the mounts below a folder as they are: each is to be made read-only by itself. */
function mountsFor(confinement: Confinement): Mounts {
  const table = mountTable();
  const { guarded, open } = realFolders(confinement);
  const isOpen = (point: string) => open.some((path) => point === path || isInside(point, path));
  const outer = guarded
    .filter((point) => !isOpen(point))
    .map((point) => ({ point, options: mountOf(point, table)?.options ?? [] }));
  const inner = table.filter(
    ({ point }) => guarded.some((folder) => isInside(point, folder)) && !isOpen(point),
  );
  return { binds: [...guarded, ...open], remounts: [...outer, ...inner].map(readOnlyAgain) };
}

function readOnlyAgain({ point, options }: Mount): readonly [string, string] {
  return [["remount", "bind", "ro", ...options].join(","), point];
}
