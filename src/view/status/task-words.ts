/** The status of a task in a few words that fit beside its name. */
import type { Task } from "../../kernel/state.ts";
import { unreachable } from "../../std/assert.ts";
import { counted } from "../../std/counted.ts";
import { firstLine, oneLine } from "../../std/printable.ts";
import { duration } from "../text/duration.ts";
import { awayWords, limitedAccountWords } from "./availability-words.ts";
import { blockerOf, unmet } from "./blocker.ts";
import type { RunSnapshot } from "./liveness.ts";

export function taskWords(task: Task, seen: RunSnapshot): string {
  const { phase } = task;
  switch (phase.name) {
    case "waiting":
      return `after ${named(unmet(seen.state, task))}`;
    case "ready":
      return `ready, ${dueWords(seen, task)}`;
    case "working":
      if (phase.step === "due") return `another turn, ${dueWords(seen, task)}`;
      if (phase.step === "collect") return "its reply is being read";
      return "an agent works on it";
    case "auditing":
      if (phase.step === "verify") return checkWords(task, seen, "being verified");
      if (phase.step === "due") return `to be audited, ${dueWords(seen, task)}`;
      if (phase.step === "collect") return "the audit is being read";
      return "being audited";
    case "integrating":
      return integrationWords(task, seen);
    case "held":
      return `waits for your answer to ${oneLine(phase.question, 60)}`;
    case "failed":
      return firstLine(phase.reason, 300);
    case "done":
      return phase.commit ? commitWords(phase.commit) : "was done before the run";
    case "reverting":
      return `${shortSha(phase.commit.sha)} is being reverted`;
    default:
      return unreachable(phase);
  }
}

/** "a, b, c and 4 more". */
export function named(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map((name) => oneLine(name, 60));
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(", ")} and ${left} more` : shown.join(", ");
}

export function shortSha(sha: string): string {
  return oneLine(sha.slice(0, 7));
}

function dueWords(seen: RunSnapshot, task: Task): string {
  const blocker = blockerOf(seen, task);
  switch (blocker.name) {
    case "run":
      return "when the run resumes";
    case "hold-all":
      return `after your answer to ${named(blocker.questions, 2)}`;
    case "ending":
      return "after the turn that is being stopped";
    case "dependencies":
      return `after ${named(blocker.on)}`;
    case "level":
      return `after level ${blocker.level + 1}`;
    case "files":
    case "resource":
      return `after ${oneLine(blocker.by, 60)}`;
    case "agents":
      return awayWords(blocker.away).join(", ");
    case "account":
      return `held: ${limitedAccountWords(blocker.held)}`;
    case "finished-work":
      return `waits for ${counted(blocker.finished, "finished task")} to be integrated`;
    case "slots":
      return "waits for a free slot";
    case "budget":
      return "waits for what is left of the budget";
    case "nothing":
      return "next";
    default:
      return unreachable(blocker);
  }
}

function checkWords({ facts }: Task, { liveness, now }: RunSnapshot, otherwise: string): string {
  const check = liveness.checks.get(facts.task);
  if (!check) return otherwise;
  return `verifying: ${oneLine(check.command, 200)} (${duration(now.time - check.since)})`;
}

function integrationWords(task: Task, seen: RunSnapshot): string {
  const { phase, facts } = task;
  if (phase.name !== "integrating") return "";
  const before = seen.state.queue.findIndex((work) => work.of === "task" && work.task === facts.task);
  if (before > 0) return `waits for the branch, ${before} before it`;
  switch (phase.step.name) {
    case "merge":
      return "being merged with what was integrated meanwhile";
    case "verify":
      return checkWords(task, seen, "being verified on top of what was integrated meanwhile");
    case "commit":
    case "advance":
      return "being committed";
    default:
      return unreachable(phase.step);
  }
}

function commitWords({ sha, files }: { readonly sha: string; readonly files: readonly string[] }): string {
  return `${shortSha(sha)}  ${files.length === 1 ? "1 file" : `${files.length} files`}`;
}
