/**
 * Chooses how a program is confined on this machine.
 *
 * What a system lets its users do is not guessed from its name or its version, but tried, once, on a folder made for
 * it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bwrapArgv } from "./bwrap-argv.ts";
import {
  type Confined,
  type ConfinementWish,
  confinementHeld,
  toldOn,
  withDescriptors,
} from "./confinement-wish.ts";
import { unshareArgv } from "./unshare-argv.ts";

export type ConfinementWay = (wish: ConfinementWish) => Confined | undefined;

/** `unshare` first: it is on every Linux, and leaves a program that was root more of what it could do. */
const ways: readonly ConfinementWay[] = [unshareArgv, bwrapArgv];

/** What to start instead; nothing where this machine does not let us. */
export function confine(wish: ConfinementWish): Confined | undefined {
  return chosenWay()?.(wish);
}

export function canConfine(): boolean {
  return chosenWay() !== undefined;
}

function chosenWay(): ConfinementWay | undefined {
  chosen ??= { way: ways.find(holdsHere) };
  return chosen.way;
}

let chosen: { readonly way: ConfinementWay | undefined } | undefined;

export function holdsHere(way: ConfinementWay): boolean {
  if (process.platform !== "linux") return false;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-confine-")));
  try {
    return holdsIn(folder, way);
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Long for a few mounts, also on a busy machine. */
const trialMs = 10_000;

function holdsIn(folder: string, way: ConfinementWay): boolean {
  const open = join(folder, "open");
  mkdirSync(open);
  const confined = way({
    argv: ["/bin/sh", "-c", "(echo > open/in); (echo > out); echo > /dev/null && [ -e /proc/self ]"],
    folder,
    environment: {},
    confinement: { readOnly: [folder], writable: [open] },
  });
  if (!confined) return false;
  const [program, ...args] = confined.argv;
  const ended = withDescriptors(confined, (descriptors) =>
    spawnSync(program, args, {
      cwd: "/",
      env: {},
      timeout: trialMs,
      killSignal: "SIGKILL",
      stdio: ["ignore", "ignore", "ignore", ...descriptors],
    }),
  );
  return (
    ended.status === 0 &&
    ended.output[toldOn]?.toString().trim() === confinementHeld &&
    readdirSync(folder).join() === "open" &&
    readdirSync(open).join() === "in"
  );
}
