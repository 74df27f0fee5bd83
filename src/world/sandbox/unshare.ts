/**
 * Confines a program with what Linux gives every user: namespaces, through the `unshare` program.
 *
 * The program sees its own mounts, where read-only places stay read-only whatever it does. It also has its own process
 * ids: when process 1 ends, all of them end, even a grandchild in a session of its own. Process 1 is a small shell, not
 * the program: a signal that process 1 does not handle is not delivered to it, so SIGTERM would never end the program.
 */
import { accessSync, constants, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unreachable } from "../../std/assert.ts";
import { isAtOrInside, isInside } from "../../std/is-inside.ts";
import { harmlessDevices } from "./devices.ts";
import { kernelSettings } from "./kernel-settings.ts";
import { isSeen, planWithLayers, planWithoutLayers } from "./mount-plan.ts";
import { type Mount, mountOf, mountTable } from "./mount-table.ts";
import type { PlannedPlace } from "./planned-place.ts";
import {
  confinementHeld,
  environmentRepairs,
  mountsOn,
  reportDescriptor,
  type Sandbox,
  type SandboxedCommand,
  type SandboxRequest,
  systemProgram,
} from "./sandbox.ts";
import { makeShallowCopy } from "./shallow-copy.ts";

export const unshare: Sandbox = {
  name: "unshare",
  hasLayers: true,
  wrap: (request) => wrap(request, (table) => planWithLayers(request, table)),
};

/** For kernels that do not let ordinary users mount an overlay. */
export const unshareWithoutLayers: Sandbox = {
  name: "unshare, without layers",
  hasLayers: false,
  wrap: (request) => wrap(request, () => planWithoutLayers(request)),
};

function wrap(
  request: SandboxRequest,
  planFor: (table: readonly Mount[]) => readonly PlannedPlace[],
): SandboxedCommand | undefined {
  const [program, mount, umount, env, sh] = ["unshare", "mount", "umount", "env", "sh"].map(systemProgram);
  if (!program || !mount || !umount || !env || !sh) return undefined;
  const namespaces = [
    ...["--user", "--map-root-user", "--mount", "--propagation=private"],
    ...["--ipc", "--pid", "--mount-proc"],
  ];
  // Root of a namespace may undo its mounts. In a nested namespace the program is its own user again, and root of
  // nothing that matters.
  const itself = ["--user", `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`];
  const argv = [
    ...endsWithUs(),
    ...[program, ...namespaces, "--fork", "--kill-child=SIGKILL"],
    ...["--", sh, "-c", script, "sh", mount, umount],
    ...[program, ...itself, `--wd=${request.folder}`],
    ...["--", env, ...environmentRepairs(request.environment), ...request.argv],
  ] as [string, ...string[]];
  const table = mountTable();
  return { argv, mounts: mountLines({ places: planFor(table), table, layerFolder: request.layerFolder }) };
}

/** Ends the program when the coordinator is killed, if `setpriv` is there to request that from the kernel. */
function endsWithUs(): string[] {
  const setpriv = systemProgram("setpriv");
  return setpriv ? [setpriv, "--pdeathsig=SIGKILL", "--"] : [];
}

/**
 * A mount point that the plan never mounts over: a folder in the program's own /proc where the kernel's file systems
 * report on themselves.
 */
const stage = "/proc/fs";

/**
 * A single `mount` does everything: each further program would cost more than all mounts together. If a mount fails
 * nothing is started, and stderr has what `mount` said about it. The stage is unmounted, not covered: as long as an
 * open /proc or /sys is mounted anywhere in there, the kernel lets a program mount another one for itself.
 *
 * The working folder is entered by path after all mounts: one entered earlier would be beneath them, and writable. The
 * shell's own stderr, where it writes "Killed" and the like, goes to /dev/null instead of the program's stderr; the
 * parentheses keep it so while the program runs.
 */
const script = `
trap 'exit 143' TERM
"$1" --all --fstab /proc/self/fd/${mountsOn} >&2 && "$2" --lazy ${stage} >&2 || exit 126; shift 2
exec 5>&2 2>/dev/null
echo ${confinementHeld} >&${reportDescriptor}
(exec "$@" 2>&5 ${reportDescriptor}>&- ${mountsOn}>&- 5>&-)
exit "$?"
`;

/** The original of a path, whatever is mounted over it. */
function staged(path: string): string {
  return `${stage}${path}`;
}

interface Lines {
  readonly places: readonly PlannedPlace[];
  readonly table: readonly Mount[];
  readonly layerFolder: string;
}

/**
 * Lines in the format of /etc/fstab. The first line shows the whole tree a second time, at the stage: whatever is
 * mounted over a place later, its original can still be reached there.
 */
function mountLines({ places, table, layerFolder }: Lines): string {
  const isCovered = (point: string) =>
    isInside(point, "/dev") || places.some(({ path, is }) => is !== "writable" && isInside(point, path));
  const originals = table.filter(
    ({ point, isReadOnly }) => !isReadOnly && !isInProc(point) && !isCovered(point) && isWithinReach(point),
  );
  const lines = [
    bind("/", stage, "rbind"),
    ...originals.map(readOnly),
    ...devices(madeFolder(layerFolder, "dev")),
    ...kernelSettings().flatMap(shutSetting),
    ...places.flatMap((place, at) =>
      linesFor(place, { places, table, folder: join(layerFolder, String(at)) }),
    ),
    // Otherwise a program that copies the home folder would copy its own copies without end.
    ...(isSeen(layerFolder, places) ? [`cox-cover ${field(layerFolder)} tmpfs ro,size=4k\n`] : []),
  ];
  return lines.join("");
}

interface Surroundings {
  readonly places: readonly PlannedPlace[];
  readonly table: readonly Mount[];
  /** A path for this place alone; nothing is there yet. */
  readonly folder: string;
}

function linesFor(place: PlannedPlace, { places, table, folder }: Surroundings): string[] {
  const { path, is } = place;
  switch (is) {
    case "writable":
      return [bind(staged(path), path, "rbind")];
    case "read-only":
      return [bind(staged(path), path, "rbind"), ...readOnlyBelow(path, table)];
    case "layer":
      return [layerAt(path, folder)];
    case "shallow copy":
      makeShallowCopy(path, folder, place.copiedBytesMax);
      makeStandIns(path, places, folder);
      return [bind(staged(folder), path, "bind")];
    case "empty":
      mkdirSync(folder, { recursive: true });
      makeStandIns(path, places, folder);
      return [bind(staged(folder), path, "bind")];
    default:
      return unreachable(is);
  }
}

/** The program's /proc was mounted just before, so mounts inside the old one no longer exist. */
function isInProc(point: string): boolean {
  return isAtOrInside(point, "/proc");
}

/**
 * A mount point we cannot reach cannot be remounted, nor written to. Checks the parent folder, so a hanging mount is
 * not touched.
 */
function isWithinReach(point: string): boolean {
  try {
    accessSync(dirname(point), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function layerAt(path: string, folder: string): string {
  const [upper, work] = [madeFolder(folder, "upper"), madeFolder(folder, "work")];
  const layers = { lowerdir: path, upperdir: upper, workdir: work };
  const options = Object.entries(layers).map(([option, place]) => `${option}=${staged(place)}`);
  return `cox-layer ${field(path)} overlay ${[...options, "userxattr"].join(",")}\n`;
}

/** A place shown inside another needs a mount point there. */
function makeStandIns(path: string, places: readonly PlannedPlace[], folder: string): void {
  for (const { path: inner } of places) {
    if (!isInside(inner, path)) continue;
    const standIn = join(folder, inner.slice(path.length));
    if (existsSync(standIn)) continue;
    if (statSync(inner).isDirectory()) mkdirSync(standIn, { recursive: true });
    else {
      mkdirSync(dirname(standIn), { recursive: true });
      writeFileSync(standIn, "");
    }
  }
}

function devices(folder: string): string[] {
  for (const name of ["pts", "shm"]) madeFolder(folder, name);
  const links = {
    fd: "/proc/self/fd",
    stdin: "/proc/self/fd/0",
    stdout: "/proc/self/fd/1",
    stderr: "/proc/self/fd/2",
    ptmx: "pts/ptmx",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  const shown = harmlessDevices();
  for (const path of shown) {
    const standIn = join(folder, path.slice("/dev".length));
    mkdirSync(dirname(standIn), { recursive: true });
    writeFileSync(standIn, "");
  }
  return [
    bind(staged(folder), "/dev", "bind"),
    ...shown.map((path) => bind(staged(path), path, "bind")),
    "cox-terminals /dev/pts devpts newinstance,ptmxmode=0666,mode=0620,nosuid,noexec\n",
    "cox-memory /dev/shm tmpfs mode=1777,nosuid,nodev\n",
  ];
}

function shutSetting(path: string): string[] {
  return [bind(path, path, "bind"), readOnly({ point: path, options: ["nosuid", "nodev", "noexec"] })];
}

/** A bind does not change the mounts below a folder: each must be made read-only separately. */
function readOnlyBelow(path: string, table: readonly Mount[]): string[] {
  const options = mountOf(path, table)?.options ?? [];
  const inner = table.filter(
    ({ point, isReadOnly }) => isInside(point, path) && !isReadOnly && isWithinReach(point),
  );
  return [{ point: path, options }, ...inner].map(readOnly);
}

function bind(from: string, to: string, how: "bind" | "rbind"): string {
  return `${field(from)} ${field(to)} none ${how}\n`;
}

/**
 * This line must never be skipped. `mount` skips what is already mounted, by source and target, so the source is a name
 * that nobody uses. It also skips `/` as the system's own business, unless it is written with one more slash.
 */
function readOnly({ point, options }: Pick<Mount, "point" | "options">): string {
  const all = ["remount", "bind", "ro", ...options].join(",");
  return `cox-read-only-again /${field(point)} none ${all}\n`;
}

/** Escapes characters that would end a field or begin a comment, by their octal number. */
function field(path: string): string {
  return path.replace(
    /[ \t\n\v\f\r#\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

function madeFolder(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path, { recursive: true });
  return path;
}
