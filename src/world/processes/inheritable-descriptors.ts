/** The descriptors of this process that a program it starts would inherit, apart from the three standard streams. */
import { readdirSync, readFileSync } from "node:fs";

/** Empty where there is no /proc. */
export function inheritableDescriptors(): number[] {
  return descriptors().filter((fd) => fd > 2 && isInheritable(fd));
}

function descriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

const closesOnExec = 0o2000000;

function isInheritable(fd: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch {
    // It belonged to the listing itself and is closed by now.
    return false;
  }
}
