/**
 * Holds a program to its folders with what Linux gives every user: namespaces, through the `unshare` program.
 *
 * It sees its own mounts, where what is read-only is so whatever it does, and its own process numbers, where the
 * end of number 1 is the end of all: a grandchild in a session of its own, too. Number 1 is a small shell, not the
 * program: a signal that number 1 does not handle is not delivered to it, so SIGTERM would never end it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInside, type Mount, mountOf, mountTable } from "./mount-table.ts";
import type { Confinement } from "./processes.ts";

export interface Confined {
  readonly argv: readonly [string, ...string[]];
  /** On this descriptor number 1 says `confinementHeld` when everything is mounted; the program never has it. */
  readonly told: typeof toldOn;
}

export interface Wish {
  /** The program by its whole path. */
  readonly argv: readonly [string, ...string[]];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly confinement: Confinement;
}

export const confinementHeld = "held";
const toldOn = 3;

/** Nothing where this machine does not let us. Tried once, on a folder made for it. */
export function confine(wish: Wish): Confined | undefined {
  isPossible ??= holdsHere();
  return isPossible ? confined(wish) : undefined;
}

let isPossible: boolean | undefined;

function confined({ argv, folder, environment, confinement }: Wish): Confined | undefined {
  const tools = findTools();
  if (!tools) return undefined;
  const { binds, remounts } = mountsFor(confinement);
  const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return {
    told: toldOn,
    argv: [
      tools.unshare,
      ...["--user", "--map-root-user", "--mount", "--propagation=private"],
      ...["--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc"],
      ...["--", tools.sh, "-c", script, "sh", tools.mount],
      ...[...binds, "--", ...remounts.flat(), "--"],
      // Who is root of a namespace may undo its mounts. In one more, below it, the program is its own user again
      // and root of nothing that matters.
      ...[tools.unshare, "--user", `--map-user=${uid}`, `--map-group=${gid}`, `--wd=${folder}`],
      ...["--", tools.env, ...shellVariables(environment), ...argv],
    ],
  };
}

/**
 * The writable places are mounted before anything becomes read-only: should a step fail, the program can still
 * work, only less confined, and that is told.
 *
 * Its working folder is entered again, by path, after all of it: the old one is beneath the mounts and writable.
 * A shell writes "Killed" and the like to its stderr, which is not the program's, but nowhere; the parentheses
 * keep it so while the program runs.
 */
const script = `
exec 4>&2 2>/dev/null
trap 'exit 143' TERM
mount=$1 held=${confinementHeld}; shift
while [ "$1" != -- ]; do "$mount" --rbind "$1" "$1" || held=; shift; done; shift
while [ "$1" != -- ]; do "$mount" -o "$1" "$2" || held=; shift 2; done; shift
echo "$held" >&3
(exec "$@" 2>&4 3>&- 4>&-)
exit "$?"
`;

/** What shells set for those they start, put back to what was given. */
function shellVariables(environment: Readonly<Record<string, string>>): string[] {
  const given = shellSets.filter((name) => environment[name] !== undefined);
  const notGiven = shellSets.filter((name) => environment[name] === undefined);
  return [
    ...notGiven.flatMap((name) => ["-u", name]),
    ...given.map((name) => `${name}=${environment[name]}`),
  ];
}

const shellSets = ["PWD", "OLDPWD", "SHLVL", "_"];

interface Mounts {
  readonly binds: readonly string[];
  readonly remounts: readonly (readonly [options: string, point: string])[];
}

function mountsFor({ readOnly, writable }: Confinement): Mounts {
  const table = mountTable();
  const guarded = present(readOnly);
  const open = present(writable).filter((path) => guarded.some((folder) => isInside(path, folder)));
  const isOpen = (point: string) => open.some((path) => point === path || isInside(point, path));
  const inner = table.filter(
    ({ point }) => guarded.some((folder) => isInside(point, folder)) && !isOpen(point),
  );
  const outer = guarded.flatMap((point) => {
    const options = mountOf(point, table)?.options;
    return options ? [{ point, options }] : [];
  });
  return { binds: [...guarded, ...open], remounts: [...outer, ...inner].map(readOnlyAgain) };
}

function readOnlyAgain({ point, options }: Mount): readonly [string, string] {
  return [["remount", "bind", "ro", ...options].join(","), point];
}

/** Mounts are made on real paths; and outer ones first, or they would cover the inner ones. */
function present(paths: readonly string[]): string[] {
  const real = paths.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  return [...new Set(real)].sort((one, other) => one.length - other.length);
}

interface Tools {
  readonly unshare: string;
  readonly mount: string;
  readonly env: string;
  readonly sh: string;
}

/** From the system's own folders only: the PATH of a program to be confined is not to be trusted with it. */
function findTools(): Tools | undefined {
  const [unshare, mount, env, sh] = ["unshare", "mount", "env", "sh"].map((name) =>
    systemFolders.map((folder) => join(folder, name)).find((path) => existsSync(path)),
  );
  return unshare && mount && env && sh ? { unshare, mount, env, sh } : undefined;
}

const systemFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** Long for a few mounts, also on a busy machine. */
const trialMs = 10_000;

function holdsHere(): boolean {
  if (process.platform !== "linux") return false;
  const folder = mkdtempSync(join(tmpdir(), "cox-confine-"));
  try {
    mkdirSync(join(folder, "open"));
    const wish: Wish = {
      argv: [
        "/bin/sh",
        "-c",
        "echo > open/in; echo > out; echo > /dev/null && kill -0 $$ && [ -e /proc/self ]",
      ],
      folder,
      environment: {},
      confinement: { readOnly: [folder], writable: [join(folder, "open")] },
    };
    const trial = confined(wish);
    if (!trial) return false;
    const [program, ...args] = trial.argv;
    const ended = spawnSync(program, args, {
      cwd: "/",
      env: {},
      timeout: trialMs,
      killSignal: "SIGKILL",
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const written = [readdirSync(folder), readdirSync(join(folder, "open"))].flat().join(" ");
    return (
      ended.status === 0 &&
      written === "open in" &&
      ended.output[toldOn]?.toString().trim() === confinementHeld
    );
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
