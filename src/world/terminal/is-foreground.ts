/**
 * Whether this process's group owns the terminal. A background process must not read keys, which belong to the shell,
 * nor change the terminal's mode: the system would stop it.
 */
import { readFileSync } from "node:fs";
import { unchangedProgram } from "../processes/program/pinned-programs.ts";
import { spawnSync } from "../processes/spawn.ts";

export function isForeground(): boolean {
  const groups = groupsFromProc() ?? groupsFromPs();
  // If it cannot be determined, assume the foreground, which is nearly always right.
  return groups === undefined || groups.own === groups.foreground;
}

interface Groups {
  readonly own: string | undefined;
  readonly foreground: string | undefined;
}

function groupsFromProc(): Groups | undefined {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // The name in parentheses may contain anything. After it: state, parent, group, session, terminal, the terminal's
    // group.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { own: fields[2], foreground: fields[5] };
  } catch {
    return undefined;
  }
}

function groupsFromPs(): Groups | undefined {
  const path = unchangedProgram("ps");
  if (path === undefined) return undefined;
  const ps = spawnSync(path, ["-o", "pgid=,tpgid=", "-p", String(process.pid)], { encoding: "latin1" });
  if (ps.status !== 0) return undefined;
  const [own, foreground] = ps.stdout.trim().split(/\s+/);
  return { own, foreground };
}
