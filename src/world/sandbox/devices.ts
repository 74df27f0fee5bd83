/**
 * The devices that a confined program can see: only those that hold nobody's data. Otherwise root could write to the
 * disk beneath every file, and any user to their own terminals.
 */
import { readdirSync } from "node:fs";

/** Paths of existing devices. */
export function harmlessDevices(): string[] {
  return [...devicesIn("/dev", isHarmless), ...devicesIn("/dev/dri", isRenderer)];
}

const always = new Set(["null", "zero", "full", "random", "urandom", "tty"]);

function isHarmless(name: string): boolean {
  // GPUs and virtual machines: whoever may open them may use them.
  return always.has(name) || name === "kvm" || name === "kfd" || /^nvidia\d|^nvidia(ctl|-uvm)/.test(name);
}

function isRenderer(name: string): boolean {
  return name.startsWith("renderD");
}

function devicesIn(folder: string, isWanted: (name: string) => boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isCharacterDevice() && isWanted(entry.name))
      .map(({ name }) => `${folder}/${name}`);
  } catch {
    return [];
  }
}
