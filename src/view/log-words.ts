/**
 * Each event in words. Some name only a turn or a question; whoever reads a log in its order knows whose it is and
 * brings that along.
 */
import type { Event, VerifyKey } from "../kernel/event.ts";
import { unreachable } from "../std/assert.ts";
import { counted } from "../std/counted.ts";
import { firstLine, oneLine } from "../std/printable.ts";
import { decisionLogWords } from "./decision-log-words.ts";
import { duration } from "./duration.ts";
import type { Level, LogEntry, Remembered, Sign } from "./log-entry.ts";
import { byPhrase, colonPhrase, outputPhrase, toldPhrase } from "./log-phrases.ts";
import { codeWords } from "./standing-words.ts";
import { named, shortSha } from "./task-words.ts";
import { turnLogWords } from "./turn-log-words.ts";
import { unconfinedWords } from "./unconfined.ts";

export function logWords(event: Event, remembered: Remembered): LogEntry {
  const say = (level: Level, sign: Sign, task: string | undefined, words: string) => ({
    level,
    sign,
    task,
    words,
  });
  switch (event.event) {
    case "run_started": {
      const { run, tasks, title, branch } = event.data;
      const count = counted(tasks.length, "task");
      return say(
        1,
        "▶",
        undefined,
        `run ${oneLine(run, 60)} began: ${oneLine(title, 120)}, ${count} on ${oneLine(branch, 80)}`,
      );
    }
    case "session_started": {
      const { pid, resumes } = event.data;
      const words = resumes === 0 ? "the coordinator began" : "the coordinator goes on";
      return say(resumes === 0 ? 3 : 2, "·", undefined, `${words} (process ${pid})`);
    }
    case "session_ended":
      return say(1, "?", undefined, "the coordinator left: only you can go on with it (cox questions)");
    case "state_reconstructed":
      return say(
        3,
        "·",
        undefined,
        `the state was made anew from ${counted(event.data.events_replayed, "event")}`,
      );
    case "state_recovery_needed":
      return say(1, "!", undefined, `put aside after a crash: ${oneLine(event.data.reason, 300)}`);
    case "confinement_found":
      return event.data.holds
        ? say(2, "·", undefined, "agents are held to their desks again")
        : say(1, "!", undefined, unconfinedWords);
    case "run_paused": {
      const { reason, detail, by } = event.data;
      const why = reason === "person" ? "" : reason === "budget" ? " by the budget" : " by trouble";
      return say(1, "!", undefined, `paused${why}${colonPhrase(detail)}${byPhrase(by)}`);
    }
    case "run_resumed":
      return say(
        1,
        "▶",
        undefined,
        `goes on${event.data.budget ? " with another budget" : ""}${byPhrase(event.data.by)}`,
      );
    case "run_stopped":
      return say(1, "!", undefined, `stopped${byPhrase(event.data.by)}`);
    case "run_finished": {
      const { outcome, tip } = event.data;
      return say(
        1,
        outcome === "done" ? "✓" : "✗",
        undefined,
        `the run ended: ${oneLine(outcome, 20)}, at ${shortSha(tip)}`,
      );
    }
    case "agent_dispatched":
    case "agent_started":
    case "agent_checkpoint":
    case "agent_complete":
    case "agent_timeout":
    case "agent_crashed":
    case "agent_cancelled":
    case "agent_overstepped":
    case "outside_changed":
      return turnLogWords(event, remembered);
    case "agent_rested": {
      const { agent, code, for_ms } = event.data;
      const who = oneLine(agent, 60);
      return say(2, "!", undefined, `${who} rests for ${duration(for_ms)}: ${codeWords(code)}`);
    }
    case "agent_ruled_out": {
      const { agent, code, message } = event.data;
      const who = oneLine(agent, 60);
      return say(1, "!", undefined, `${who} is out (${codeWords(code)}): ${oneLine(message, 300)}`);
    }
    case "agent_returned":
      return say(2, "·", undefined, `${oneLine(event.data.agent, 60)} may be sent to work again`);
    case "developer_dispatched":
      return say(3, "·", event.data.task, `at a desk on ${shortSha(event.data.base)}`);
    case "developer_checkpoint":
      return say(3, "·", event.data.task, `reached: ${oneLine(event.data.text, 300)}`);
    case "reply_refused":
      return say(2, "!", event.data.task, `its reply could not be used: ${toldPhrase(event.data.problems)}`);
    case "task_incomplete":
      return say(2, "!", event.data.task, `the attempt was given up: ${oneLine(event.data.reason, 300)}`);
    case "developer_ready_for_audit": {
      const { task, files, summary } = event.data;
      return say(3, "·", task, `work is there, ${counted(files.length, "file")}${colonPhrase(summary)}`);
    }
    case "verification_passed":
      return say(
        // That two changes were put together is worth knowing, and nothing else says it.
        event.data.work.of === "merge" || event.data.work.of === "landing" ? 2 : 3,
        "✓",
        taskOf(event.data.work),
        `${verifiedWords(event.data.work)}: ${commandWords(event.data.evidence)}`,
      );
    case "verification_failed": {
      const { work, why } = event.data;
      if (work.of === "base") return say(1, "!", undefined, baseFailedWords(why));
      // Of a task, the failed audit that follows says it.
      const level = work.of === "task" || work.of === "merge" ? 3 : 1;
      return say(level, "✗", taskOf(work), `not ${verifiedWords(work)}: ${firstLine(why, 300)}`);
    }
    case "audit_passed": {
      const { task, by, summary } = event.data;
      return say(2, "✓", task, `passed, by ${oneLine(by, 60)}${colonPhrase(summary)}`);
    }
    case "auditor_fail": {
      const { task, attempt, by, findings } = event.data;
      return say(
        2,
        "!",
        task,
        `not passed by ${oneLine(by, 60)} (${remembered.counts.failureWords(task, attempt)}): ${toldPhrase(findings)}${outputPhrase(task, findings)}`,
      );
    }
    case "auditor_blocked":
      return say(
        2,
        "!",
        event.data.task,
        `${oneLine(event.data.by, 60)} cannot judge it: ${oneLine(event.data.reason, 300)}`,
      );
    case "integration_merged":
      return say(3, "·", event.data.task, `merged onto ${shortSha(event.data.onto)}`);
    case "integration_conflicted":
      return say(
        2,
        "!",
        event.data.task,
        `does not fit with what landed meanwhile: ${named(event.data.paths, 3)}`,
      );
    case "integration_prepared":
      return say(3, "·", event.data.task, `commit ${shortSha(event.data.commit)} is prepared`);
    case "task_commit_recorded": {
      const { task, commit_sha, files_modified } = event.data;
      return say(
        1,
        "✓",
        task,
        `committed ${shortSha(commit_sha)}, ${counted(files_modified.length, "file")}`,
      );
    }
    case "task_complete":
      return say(3, "✓", event.data.task, `complete: ${oneLine(event.data.evidence_summary, 300)}`);
    case "task_failed":
      return say(1, "✗", event.data.task, `failed: ${firstLine(event.data.reason, 400)}`);
    case "task_retried":
      return say(
        2,
        "▶",
        event.data.task,
        `tried again${event.data.afresh ? " from the beginning" : ""}${byPhrase(event.data.by)}`,
      );
    case "task_aborted":
      return say(2, "↩", event.data.task, `given back: ${oneLine(event.data.reason, 300)}`);
    case "agent_seeks_guidance":
    case "question_asked":
    case "confirmation_requested":
    case "divine_response_received":
    case "agent_resumes_with_guidance":
    case "confirmation_given":
    case "confirmation_denied":
    case "question_withdrawn":
    case "rollback_requested":
    case "rollback_prepared":
    case "task_rolled_back":
    case "rollback_blocked":
    case "rollback_failed":
    case "landing_prepared":
    case "run_landed":
    case "landing_undone":
      return decisionLogWords(event, remembered);
    default:
      return unreachable(event);
  }
}

function taskOf(work: VerifyKey): string | undefined {
  return "task" in work ? work.task : undefined;
}

function verifiedWords({ of }: VerifyKey): string {
  switch (of) {
    case "task":
      return "verified";
    case "merge":
      return "verified on top of what landed meanwhile";
    case "rollback":
      return "verified after it was taken back";
    case "run":
      return "verified as a whole";
    case "base":
      return "verified at the base, before any agent";
    case "landing":
      return "verified on top of your branch";
    default:
      return unreachable(of);
  }
}

/** Not a failure of the run: it may be what the plan is there for. */
function baseFailedWords(why: string): string {
  return `the verify commands fail at the base already, before any agent: ${firstLine(why, 300)}; the run goes on, and agents are told (cox stop ends it)`;
}

function commandWords({
  commands,
}: {
  readonly commands: readonly { command: string; exit: number | null }[];
}): string {
  return named(commands.map(({ command, exit }) => `${command} → ${exit}`));
}
