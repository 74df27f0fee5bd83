/**
 * Each event in words. Some events name only a turn or a question; the caller, who reads the log in order, knows which
 * task it belongs to and passes that in.
 */
import type { Event, EventOf, Events, VerifyKey } from "../../kernel/event.ts";
import { unreachable } from "../../std/assert.ts";
import { counted } from "../../std/counted.ts";
import { firstLine, oneLine } from "../../std/printable.ts";
import { size } from "../../std/size.ts";
import { codeWords } from "../status/availability-words.ts";
import { named, shortSha } from "../status/task-words.ts";
import { duration } from "../text/duration.ts";
import { unconfinedWords, withoutLayersWords } from "../unconfined.ts";
import { decisionLogWords } from "./decision-log-words.ts";
import { type LogEntry, type LogMemory, say } from "./log-entry.ts";
import { byPhrase, colonPhrase, findingsPhrase, outputPhrase } from "./log-phrases.ts";
import { turnLogWords } from "./turn-log-words.ts";

export function logWords(event: Event, remembered: LogMemory): LogEntry {
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
      const { pid, resumes, only_records } = event.data;
      if (only_records)
        return say(3, "·", undefined, `process ${pid} recorded something; no agent was started`);
      const words = resumes === 0 ? "the coordinator started" : "the coordinator resumed";
      return say(resumes === 0 ? 3 : 2, "·", undefined, `${words} (process ${pid})`);
    }
    case "session_ended":
      return say(1, "?", undefined, "waiting for you: answer with cox questions, then cox resume");
    case "state_reconstructed":
      return say(
        3,
        "·",
        undefined,
        `the state was rebuilt from ${counted(event.data.events_replayed, "event")}`,
      );
    case "state_recovery_needed":
      return say(1, "!", undefined, recoveryWords(event.data.reason));
    case "confinement_found":
      if (!event.data.holds) return say(1, "!", undefined, unconfinedWords);
      return event.data.without_layers
        ? say(1, "!", undefined, withoutLayersWords)
        : say(2, "·", undefined, "agents are confined to their desks again");
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
        `resumed${event.data.budget ? " with another budget" : ""}${byPhrase(event.data.by)}`,
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
      const { agent, code, for_ms, account, at_once } = event.data;
      const who = oneLine(agent, 60);
      const shared =
        account === undefined || account === agent ? "" : `, and all of account ${oneLine(account, 60)}`;
      const fewer = at_once === undefined ? "" : `; then at most ${at_once} at once`;
      return say(
        2,
        "!",
        undefined,
        `${who} rests for ${duration(for_ms)}${shared}: ${codeWords(code)}${fewer}`,
      );
    }
    case "agent_ruled_out": {
      const { agent, code, message } = event.data;
      const who = oneLine(agent, 60);
      return say(1, "!", undefined, `${who} is out (${codeWords(code)}): ${oneLine(message, 300)}`);
    }
    case "agent_returned":
      return say(2, "·", undefined, `${returnedWords(event.data)} may work again`);
    case "developer_dispatched":
      return say(3, "·", event.data.task, `at a desk on ${shortSha(event.data.base)}`);
    case "developer_checkpoint":
      return say(3, "·", event.data.task, `checkpoint: ${oneLine(event.data.text, 300)}`);
    case "delete_requested":
      return say(2, "!", event.data.task, deleteWords(event.data));
    case "reply_refused":
      return say(2, "!", event.data.task, `reply rejected: ${findingsPhrase(event.data.problems)}`);
    case "task_incomplete":
      return say(2, "!", event.data.task, `the agent gave up: ${oneLine(event.data.reason, 300)}`);
    case "developer_ready_for_audit": {
      const { task, files, summary } = event.data;
      return say(3, "·", task, `work received, ${counted(files.length, "file")}${colonPhrase(summary)}`);
    }
    case "verification_passed":
      return say(
        // It is worth knowing that two changes were merged, and nothing else says so.
        event.data.work.of === "merge" || event.data.work.of === "landing" ? 2 : 3,
        "✓",
        taskOf(event.data.work),
        `${verifiedWords(event.data.work)}: ${commandWords(event.data.evidence)}`,
      );
    case "verification_failed": {
      const { work, why } = event.data;
      if (work.of === "base") return say(1, "!", undefined, baseFailedWords(why));
      // For a task, the failed audit that follows says it.
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
        `not passed by ${oneLine(by, 60)} (${remembered.counts.failureWords(task, attempt)}): ${findingsPhrase(findings)}${outputPhrase(task, findings)}`,
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
        `conflicts with what was integrated meanwhile: ${named(event.data.paths, 3)}`,
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
      return say(3, "✓", event.data.task, `done: ${oneLine(event.data.evidence_summary, 300)}`);
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
      return say(2, "↩", event.data.task, `stopped, to be started again: ${oneLine(event.data.reason, 300)}`);
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

function recoveryWords(reason: string): string {
  const [, file] = /^temp_file_exists: (.*)$/s.exec(reason) ?? [];
  return file === undefined
    ? `set aside after a crash: ${oneLine(reason, 300)}`
    : `removed after a crash: ${oneLine(file, 120)}, which was half-written; it is rebuilt from the log`;
}

/** The content is in progress.md. */
function deleteWords({ files, total, policy }: Events["delete_requested"]): string {
  const paths = files.map(({ path, bytes }) => `${path} (${size(bytes)})`);
  const left = total - paths.length;
  const more = left > 0 ? `, and ${counted(left, "more file")}` : "";
  return `delete requested: ${named(paths, 5)}${more} – ${answerWords(files, policy)}`;
}

function answerWords(
  files: Events["delete_requested"]["files"],
  policy: Events["delete_requested"]["policy"],
): string {
  if (files.some(({ answer }) => answer === "refused"))
    return `refused (confirm-deletes: ${oneLine(policy, 20)})`;
  if (files.some(({ answer }) => answer === "asked")) return "a person is asked";
  if (files.some(({ answer }) => answer === "dropped")) return "not asked: the reply was refused";
  return `allowed (confirm-deletes: ${oneLine(policy, 20)})`;
}

function taskOf(work: VerifyKey): string | undefined {
  return "task" in work ? work.task : undefined;
}

function verifiedWords({ of }: VerifyKey): string {
  switch (of) {
    case "task":
      return "verified";
    case "merge":
      return "verified on top of what was integrated meanwhile";
    case "rollback":
      return "verified after the revert";
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

/** Not a failure of the run: fixing it may be the purpose of the plan. */
function baseFailedWords(why: string): string {
  return `the verify commands already fail at the base, before any agent: ${firstLine(why, 300)}; the run continues, and agents get this message (cox stop ends it)`;
}

function commandWords({
  commands,
}: {
  readonly commands: readonly { command: string; exit: number | null }[];
}): string {
  return named(commands.map(({ command, exit }) => `${command} → ${exit}`));
}

function returnedWords({ agent, account }: EventOf<"agent_returned">["data"]): string {
  return account === undefined || account === agent ? oneLine(agent, 60) : `account ${oneLine(account, 60)}`;
}
