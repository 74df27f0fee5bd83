/**
 * Confines a program with what Linux gives every user: namespaces, through the `unshare` program.
 *
 * It sees its own mounts, where what is read-only is so whatever it does, and its own process numbers, where the
 * end of number 1 is the end of all: a grandchild in a session of its own, too. Number 1 is a small shell, not the
 * program: a signal that number 1 does not handle is not delivered to it, so SIGTERM would never end it.
 */
import {
  type Confined,
  type ConfinementWish,
  confinementHeld,
  environmentRepairs,
  mountsOn,
  realFolders,
  systemProgram,
  toldOn,
} from "./confinement-wish.ts";
import { isInside, type Mount, mountOf, mountTable } from "./mount-table.ts";
import type { Confinement } from "./processes.ts";

/** Nothing where a program for it is missing. */
export function unshareArgv(wish: ConfinementWish): Confined | undefined {
  const [unshare, mount, env, sh] = ["unshare", "mount", "env", "sh"].map(systemProgram);
  if (!unshare || !mount || !env || !sh) return undefined;
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
  const argv = [
    ...endsWithUs(),
    ...[unshare, ...namespaces, "--fork", "--kill-child=SIGKILL"],
    ...["--", sh, "-c", script, "sh", mount],
    ...[unshare, ...itself, `--wd=${wish.folder}`],
    ...["--", env, ...environmentRepairs(wish.environment), ...wish.argv],
  ] as [string, ...string[]];
  return { argv, mounts: mountsFor(wish.confinement) };
}

/** A coordinator that is killed leaves nobody behind, where there is a program that can ask the kernel for it. */
function endsWithUs(): string[] {
  const setpriv = systemProgram("setpriv");
  return setpriv ? [setpriv, "--pdeathsig=SIGKILL", "--"] : [];
}

/**
 * One `mount` does it all: each program more would cost more than all mounts together.
 *
 * The working folder is entered by path after all of it: what was entered before is beneath the mounts and writable.
 * A shell writes "Killed" and the like to its stderr, which is not the program's, but nowhere; the parentheses
 * keep it so while the program runs.
 */
const script = `
exec 5>&2 2>/dev/null
trap 'exit 143' TERM
"$1" --all --fstab /proc/self/fd/${mountsOn} && held=${confinementHeld} || held=no; shift
echo "$held" >&${toldOn}
(exec "$@" 2>&5 ${toldOn}>&- ${mountsOn}>&- 5>&-)
exit "$?"
`;

/**
 * In the form of /etc/fstab.
 *
 * The writable places are mounted before anything becomes read-only: should a step fail, the program can still
 * work, only less confined, and that is told. A bind leaves the mounts below a folder as they are: each is to be made
 * read-only by itself.
 */
function mountsFor(confinement: Confinement): string {
  const table = mountTable();
  const { guarded, open } = realFolders(confinement);
  // Its /proc is its own, made just before: what was mounted there is not any more.
  const isOpen = (point: string) =>
    [...open, "/proc"].some((path) => point === path || isInside(point, path));
  const outer = guarded
    .filter((point) => !isOpen(point))
    .map((point) => ({ point, options: mountOf(point, table)?.options ?? [] }));
  const inner = table.filter(
    ({ point }) => guarded.some((folder) => isInside(point, folder)) && !isOpen(point),
  );
  return [...[...guarded, ...open].map(bound), ...[...outer, ...inner].map(readOnlyAgain)].join("");
}

/** Is passed over where something is mounted already: which serves as well, being in a namespace of its own. */
function bound(folder: string): string {
  return `${field(folder)} ${field(folder)} none rbind\n`;
}

/**
 * Must never be passed over. What is mounted already is known to `mount` by source and place, so the source is a name
 * that nobody gives; and `/` it takes for the system's own affair, unless there is one slash more.
 */
function readOnlyAgain({ point, options }: Mount): string {
  const all = ["remount", "bind", "ro", ...options].join(",");
  return `cox-read-only-again /${field(point)} none ${all}\n`;
}

/** What would end it or begin a comment is told by its number. */
function field(path: string): string {
  return path.replace(
    /[ \t\n\v\f\r#\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}
