/** `cox doctor`: what of this machine and folder is in the way, each with its fix; silent about what is healthy. */
import { resolve } from "node:path";
import { counted } from "../std/counted.ts";
import type { Problem } from "../std/problem.ts";
import { type Finding, findingText } from "../view/finding.ts";
import type { Machine } from "../world/machine.ts";
import { examine } from "./checks.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { AgentsMeans } from "./known-agents.ts";

export interface DoctorPorts {
  readonly machine: Machine;
  readonly agents: AgentsMeans;
  /** What would be in the way of a run in a folder. */
  repositoryProblem(root: string): Promise<Problem | undefined>;
}

export async function doctor(door: Door, ports: DoctorPorts): Promise<ExitCode> {
  const { values, terminal, files } = door;
  const root = resolve(values.one("root") ?? ".");
  const examined = examine({ ...ports, files, root });
  // Where the folder itself is not there, nothing more is to be said of it.
  const isThere = !examined.some(({ check, state }) => check === "root" && state === "blocks");
  const findings = isThere ? [...examined, repository(await ports.repositoryProblem(root))] : examined;
  const blocked = findings.some(({ state }) => state === "blocks");
  if (terminal.json) {
    terminal.print(`${JSON.stringify({ ok: !blocked, findings: findings.map(toDocument) })}\n`);
  } else {
    const shown = findings.filter(({ state }) => values.has("verbose") || state !== "healthy");
    terminal.print(shown.map((finding) => findingText(finding, terminal.paint)).join(""));
    if (shown.length === 0 && terminal.isWatched)
      terminal.notice(
        `nothing is in the way; every one of ${counted(findings.length, "check")}: cox doctor --verbose\n`,
      );
  }
  return blocked ? exit.notReady : exit.done;
}

/** Replies are applied without git, so only a repository that no run can begin in is in the way. */
function repository(problem: Problem | undefined): Finding {
  if (!problem) return { check: "repository", state: "healthy", message: "runs can begin here" };
  const state = withoutGit.has(problem.code) ? "advice" : "blocks";
  return {
    check: "repository",
    state,
    message: `no run can begin here (${problem.code}): ${problem.message}`,
    fix: problem.hint,
  };
}

const withoutGit: ReadonlySet<string> = new Set(["GIT_MISSING", "GIT_TOO_OLD", "GIT_NO_REPOSITORY"]);

function toDocument({ check, state, message, fix }: Finding) {
  return { check, state, message, fix: fix ?? null };
}
