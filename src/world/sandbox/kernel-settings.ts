/**
 * Paths where root could change the machine itself, even from a namespace: the kernel only checks there whether the
 * user is root. Other users may not write there anyway.
 */
import { existsSync } from "node:fs";

/** The existing paths; none for a user who is not root. */
export function kernelSettings(): string[] {
  if (process.getuid?.() !== 0) return [];
  return ["sys", "sysrq-trigger", "irq", "bus"]
    .map((name) => `/proc/${name}`)
    .filter((path) => existsSync(path));
}
