/**
 * `cox doctor`: reports what is wrong with this machine and folder, each with its fix. It says nothing about what is
 * healthy.
 */

import { resolve } from "node:path";
import { counted } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";
import { type DoctorFinding, findingText } from "../../view/text/finding.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { Machine } from "../../world/machine.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { examine } from "./checks.ts";
import type { AgentsPorts } from "./known-agents.ts";

export interface DoctorPorts {
  readonly machine: Machine;
  readonly agents: AgentsPorts;
  /** What would prevent a run in a folder. */
  repositoryProblem(root: string): Promise<Problem | undefined>;
}

export async function doctor(door: CommandContext, ports: DoctorPorts): Promise<ExitCode> {
  const { values, terminal, files } = door;
  const root = resolve(values.one("root") ?? ".");
  const examined = examine({ ...ports, files, root });
  // If the folder cannot be used at all, there is nothing more to say about it.
  const isThere = !examined.some(({ check, state }) => check === "root" && state === "blocks");
  const findings = isThere ? [...examined, repository(await ports.repositoryProblem(root))] : examined;
  const blocked = findings.some(({ state }) => state === "blocks");
  if (terminal.json) {
    terminal.print(jsonText({ ok: !blocked, findings: findings.map(toDocument) }));
  } else {
    const shown = findings.filter(({ state }) => values.has("verbose") || state !== "healthy");
    terminal.print(shown.map((finding) => findingText(finding, terminal.paint)).join(""));
    if (shown.length === 0 && terminal.isWatched)
      terminal.notice(
        `no problems found; to see all of ${counted(findings.length, "check")}: cox doctor --verbose\n`,
      );
  }
  return blocked ? exit.notReady : exit.done;
}

/**
 * Replies can be applied without git, so a missing git or repository is only advice. A repository in which no run can
 * begin blocks.
 */
function repository(problem: Problem | undefined): DoctorFinding {
  if (!problem) return { check: "repository", state: "healthy", message: "runs can start here" };
  const state = withoutGit.has(problem.code) ? "advice" : "blocks";
  return {
    check: "repository",
    state,
    message: `no run can start here (${problem.code}): ${problem.message}`,
    fix: problem.hint,
  };
}

const withoutGit: ReadonlySet<string> = new Set(["GIT_MISSING", "GIT_TOO_OLD", "GIT_NO_REPOSITORY"]);

function toDocument({ check, state, message, fix }: DoctorFinding) {
  return { check, state, message, fix: fix ?? null };
}
