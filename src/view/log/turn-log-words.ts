/** What happened to a turn, in words. Only its dispatch says which task and agent it belongs to. */

import type { EventOf, TurnId, TurnSpending } from "../../kernel/event.ts";
import { deskFailed, isNotTheTasksFault } from "../../kernel/rules/agent/consequence.ts";
import { unreachable } from "../../std/assert.ts";
import { counted } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { costOfTurn, namedCostText } from "../cost/cost.ts";
import { duration } from "../text/duration.ts";
import { outsideWords } from "../unconfined.ts";
import type { Level, LogEntry, LogMemory, LogSign } from "./log-entry.ts";

export type TurnEvent = { [Name in TurnEventName]: EventOf<Name> }[TurnEventName];
type TurnEventName =
  | "agent_dispatched"
  | "agent_started"
  | "agent_checkpoint"
  | "agent_complete"
  | "agent_timeout"
  | "agent_crashed"
  | "agent_cancelled"
  | "agent_overstepped"
  | "outside_changed";

export function turnLogWords(event: TurnEvent, remembered: LogMemory): LogEntry {
  const ofTurn = (level: Level, sign: LogSign, turn: TurnId, words: (agent: string) => string): LogEntry => {
    const known = remembered.turn(turn);
    return { level, sign, task: known?.task, words: words(oneLine(known?.agent ?? turn, 60)) };
  };
  switch (event.event) {
    case "agent_dispatched": {
      const { task, agent, role, attempt, resumes } = event.data;
      const what = role === "auditor" ? "being audited by" : "started by";
      return {
        level: 2,
        sign: "▶",
        task,
        words: `${what} ${oneLine(agent, 60)} (${remembered.counts.turnWords(task, { attempt, role })}${resumes === undefined ? "" : ", in the same conversation"})`,
      };
    }
    case "agent_started":
      return ofTurn(3, "·", event.data.turn, (agent) => `${agent} is process ${event.data.pid}`);
    case "agent_checkpoint":
      return ofTurn(3, "·", event.data.turn, (agent) => `${agent}: ${oneLine(event.data.text, 300)}`);
    case "agent_complete": {
      const { turn, spent, tool_uses } = event.data;
      const tools = tool_uses === 0 ? "; it used no tool" : "";
      return ofTurn(3, "·", turn, (agent) => `${agent} replied after ${spentWords(spent)}${tools}`);
    }
    case "agent_timeout": {
      const { turn, limit, after_ms, last_line } = event.data;
      const how = limit === "stall" ? "was silent for" : "did not finish within";
      return ofTurn(
        2,
        "!",
        turn,
        (agent) =>
          `${agent} ${how} ${duration(after_ms)} and was ended${lastLine(last_line)}${remembered.counts.lostWords(turn)}`,
      );
    }
    case "agent_crashed": {
      const { turn, code, message, last_line } = event.data;
      // The run pauses for this, and the pause gives the reason once for everybody.
      if (code === deskFailed) return ofTurn(2, "!", turn, (agent) => `${agent} has no desk (${code})`);
      const how = isNotTheTasksFault(code) ? "had its turn rejected" : "ended without a reply";
      return ofTurn(
        isNotTheTasksFault(code) ? 1 : 2,
        "!",
        turn,
        (agent) =>
          `${agent} ${how}: ${oneLine(message, 300)} (${oneLine(code, 60)})${lastLine(message.includes(last_line) ? "" : last_line)}${remembered.counts.lostWords(turn, code)}`,
      );
    }
    case "agent_cancelled":
      return ofTurn(
        2,
        "·",
        event.data.turn,
        (agent) => `${agent} was ended: ${oneLine(event.data.reason, 300)}`,
      );
    case "agent_overstepped": {
      const { turn, code, message } = event.data;
      if (code === "AGENT_USAGE_UNREAD")
        return ofTurn(
          2,
          "!",
          turn,
          (agent) =>
            `${agent} reported its usage in a form that cannot be read; it counts as unknown: ${oneLine(message, 300)}`,
        );
      return ofTurn(
        1,
        "!",
        turn,
        (agent) =>
          `${agent} did something it is not allowed to do: ${oneLine(message, 300)} (${oneLine(code, 60)}); it had no effect`,
      );
    }
    case "outside_changed": {
      const { task, items } = event.data;
      return { level: 1, sign: "!", task, words: outsideWords(items) };
    }
    default:
      return unreachable(event);
  }
}

function lastLine(text: string): string {
  return text === "" ? "" : `; its last line was ${quote(text, 120)}`;
}

function spentWords(spent: TurnSpending): string {
  const { ms, tokens } = spent;
  const parts = [duration(ms)];
  if (tokens !== undefined) parts.push(counted(tokens, "token"));
  parts.push(namedCostText(costOfTurn(spent)));
  return parts.join(", ");
}
