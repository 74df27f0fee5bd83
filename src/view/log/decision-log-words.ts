/** What people were asked and what they decided, in words: questions, rollbacks, landings. */
import type { EventOf } from "../../kernel/event.ts";
import { unreachable } from "../../std/assert.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { named, shortSha } from "../status/task-words.ts";
import { type LogEntry, type LogMemory, say } from "./log-entry.ts";
import { byPhrase, colonPhrase, findingsPhrase } from "./log-phrases.ts";

export type DecisionEvent = { [Name in DecisionEventName]: EventOf<Name> }[DecisionEventName];
type DecisionEventName =
  | "agent_seeks_guidance"
  | "question_asked"
  | "confirmation_requested"
  | "divine_response_received"
  | "agent_resumes_with_guidance"
  | "confirmation_given"
  | "confirmation_denied"
  | "question_withdrawn"
  | "rollback_requested"
  | "rollback_prepared"
  | "task_rolled_back"
  | "rollback_blocked"
  | "rollback_failed"
  | "landing_prepared"
  | "run_landed"
  | "landing_undone";

export function decisionLogWords(event: DecisionEvent, remembered: LogMemory): LogEntry {
  switch (event.event) {
    case "agent_seeks_guidance": {
      const { question, task, agent, text } = event.data;
      return say(
        1,
        "?",
        task,
        `${oneLine(agent, 60)} asks: ${quote(text.replaceAll("\n", " "), 300)}   cox answer ${oneLine(question, 60)}`,
      );
    }
    case "question_asked": {
      const { question, task, text } = event.data;
      return say(
        1,
        "?",
        task,
        `${quote(text.slice(0, text.search(/\n|$/)), 300)}   cox answer ${oneLine(question, 60)}`,
      );
    }
    case "confirmation_requested": {
      const { question, task, items } = event.data;
      return say(
        1,
        "?",
        task,
        `asks for permission: ${findingsPhrase(items)}   cox confirm ${oneLine(question, 60)}`,
      );
    }
    case "divine_response_received": {
      const { question, answer, by } = event.data;
      return say(
        2,
        "·",
        remembered.question(question),
        `${oneLine(question, 60)} answered: ${quote(answer, 200)}${byPhrase(by)}`,
      );
    }
    case "agent_resumes_with_guidance":
      return say(3, "▶", event.data.task, `continues with the answer to ${oneLine(event.data.question, 60)}`);
    case "confirmation_given":
      return say(
        2,
        "✓",
        remembered.question(event.data.question),
        `${oneLine(event.data.question, 60)} allowed${byPhrase(event.data.by)}`,
      );
    case "confirmation_denied": {
      const { question, reason, by } = event.data;
      return say(
        2,
        "✗",
        remembered.question(question),
        `${oneLine(question, 60)} not allowed${colonPhrase(reason)}${byPhrase(by)}`,
      );
    }
    case "question_withdrawn":
      return say(
        2,
        "·",
        remembered.question(event.data.question),
        `${oneLine(event.data.question, 60)} no longer needs an answer:  ${oneLine(event.data.reason, 200)}`,
      );
    case "rollback_requested":
      return say(
        2,
        "↩",
        event.data.tasks.at(-1),
        `to be reverted: ${named(event.data.tasks, 5)}${byPhrase(event.data.by)}`,
      );
    case "rollback_prepared":
      return say(
        3,
        "·",
        event.data.task,
        `commit ${shortSha(event.data.commit)}, which reverts ${shortSha(event.data.reverts)}, is prepared`,
      );
    case "task_rolled_back":
      return say(1, "↩", event.data.task, `reverted, the branch is at ${shortSha(event.data.to_sha)}`);
    case "rollback_blocked":
      return say(
        1,
        "✗",
        event.data.task,
        `not reverted: ${named(event.data.dependents, 5)} ${event.data.dependents.length === 1 ? "depends" : "depend"} on it${byPhrase(event.data.by)}   cox rollback ${oneLine(event.data.task, 80)} --cascade`,
      );
    case "rollback_failed":
      return say(
        1,
        "✗",
        event.data.task,
        `could not be reverted: ${reasonWords(event.data.reason)}${byPhrase(event.data.by)}`,
      );
    case "landing_prepared":
      return say(
        event.data.unverified ? 1 : 3,
        event.data.unverified ? "!" : "·",
        undefined,
        `landing on ${oneLine(event.data.branch, 80)} begins${event.data.unverified ? ", although it was not verified" : ""}${byPhrase(event.data.by)}`,
      );
    case "run_landed":
      return say(
        1,
        "✓",
        undefined,
        `landed on ${oneLine(event.data.branch, 80)}: ${shortSha(event.data.from)} → ${shortSha(event.data.to)}`,
      );
    case "landing_undone":
      return say(1, "!", undefined, `the landing was undone: ${oneLine(event.data.reason, 300)}`);
    default:
      return unreachable(event);
  }
}

function reasonWords(reason: string): string {
  return reason === "no_commit_recorded" ? "no commit of it is recorded" : oneLine(reason, 300);
}
