/**
 * Chooses how to confine programs on this machine.
 *
 * What a system lets its users do is not guessed from its name or version. It is tried once, on a folder made for it.
 */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "../processes/spawn.ts";
import { bwrap } from "./bwrap.ts";
import { confinementHeld, reportDescriptor, type Sandbox, withDescriptors } from "./sandbox.ts";
import { unshare, unshareWithoutLayers } from "./unshare.ts";

/** `unshare` first: it is on every Linux, and leaves more abilities to a program that runs as root. */
export const sandboxes: readonly Sandbox[] = [unshare, unshareWithoutLayers, bwrap];

/** The first sandbox that works here; `undefined` if this machine allows none. */
export function chosenSandbox(): Sandbox | undefined {
  chosen ??= { sandbox: sandboxes.find(holdsHere) };
  return chosen.sandbox;
}

let chosen: { readonly sandbox: Sandbox | undefined } | undefined;

export function canConfine(): boolean {
  return chosenSandbox() !== undefined;
}

export function hasLayers(): boolean {
  return chosenSandbox()?.hasLayers ?? false;
}

export function holdsHere(sandbox: Sandbox): boolean {
  if (process.platform !== "linux") return false;
  for (let trial = 0; trial < trialsMax; trial += 1) if (holdsOnce(sandbox)) return true;
  return false;
}

function holdsOnce(sandbox: Sandbox): boolean {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-confine-")));
  try {
    return holdsIn(folder, sandbox);
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plenty of time for a few mounts, even on a very busy machine. */
const trialMs = 60_000;
/** Something may be mounted or unmounted between reading the mount table and the trial. */
const trialsMax = 3;

function holdsIn(folder: string, sandbox: Sandbox): boolean {
  const [home, open, layerFolder] = ["home", "home/open", "layer"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(open, { recursive: true });
  mkdirSync(layerFolder);
  const inHome = sandbox.hasLayers ? "echo > out && [ -e out ]" : "! (echo > out)";
  const command = sandbox.wrap({
    argv: ["/bin/sh", "-c", `(echo > open/in); (${inHome}) && echo > /dev/null && [ -e /proc/self ]`],
    folder: home,
    environment: { HOME: home },
    confinement: { readOnly: [], writable: [open] },
    layerFolder,
  });
  if (!command) return false;
  const [program, ...args] = command.argv;
  const ended = withDescriptors(command, (descriptors) =>
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
    ended.output[reportDescriptor]?.toString().trim() === confinementHeld &&
    readdirSync(home).join() === "open" &&
    readdirSync(open).join() === "in"
  );
}
