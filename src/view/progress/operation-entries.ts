/**
 * Turns events into the entries of a run's progress.md: a changeset each time a developer's reply was accepted, refused
 * or held, even if it came with a question or the attempt was given up; requested deletions; and a person's answers.
 * Events of older versions without these records have no entry.
 */
import { answerEntry, deleteEntry, type EntryOutcome, progressEntry } from "../../change/progress-entry.ts";
import type { EventOf, Events } from "../../kernel/event.ts";
import type { Occurred } from "../../kernel/evolve.ts";
import type { RecordedChangeset, RecordedOperation } from "../../kernel/recorded-changeset.ts";
import { isoTime } from "../run-times.ts";

/** The items of one question. */
const itemsMax = 20;

interface Asked {
  readonly task: string;
  readonly items: readonly { readonly path: string; readonly isDelete: boolean }[];
  readonly total: number;
}

export class OperationEntries {
  readonly #titles = new Map<string, string>();
  /** The last developer dispatched to each task. */
  readonly #developers = new Map<string, string>();
  /** Questions that wait for an answer. */
  readonly #asked = new Map<string, Asked>();

  read(occurred: Occurred): string[] {
    const { event, data } = occurred;
    const at = isoTime(occurred.at);
    switch (event) {
      case "run_started":
        for (const { task, title } of data.tasks) if (title !== task) this.#titles.set(task, title);
        return [];
      case "agent_dispatched":
        if (data.role === "developer") this.#developers.set(data.task, data.agent);
        return [];
      case "delete_requested":
        return this.#deletes(at, data);
      case "developer_ready_for_audit":
      case "agent_seeks_guidance":
      case "task_incomplete":
        return this.#changeset(at, data, { is: "done" });
      case "reply_refused":
        return this.#changeset(at, data, { is: "failed", why: refusalWords(data.problems) });
      case "confirmation_requested":
        this.#asked.set(data.question, askedIn(data));
        return this.#changeset(at, data, {
          is: "waiting",
          why: `for a person: cox confirm ${data.question}, or cox deny ${data.question}`,
        });
      case "confirmation_given":
      case "confirmation_denied":
        return this.#answer(at, { event, data } as Answer);
      case "question_withdrawn":
        this.#asked.delete(data.question);
        return [];
      default:
        return [];
    }
  }

  #changeset(
    at: string,
    { task, changeset }: { readonly task: string; readonly changeset?: RecordedChangeset },
    outcome: EntryOutcome,
  ): string[] {
    if (!changeset) return [];
    const { operations, total } = changeset;
    return [
      progressEntry({ at, ...this.#whoAndWhat(task), outcome, operations: operations.map(entryOf), total }),
    ];
  }

  #deletes(at: string, { task, files, total, policy }: Events["delete_requested"]): string[] {
    const who = this.#whoAndWhat(task);
    const left = total - files.length;
    return files.map(({ path, bytes, answer, ...content }, position) => {
      const more = left > 0 && position === files.length - 1 ? ` (and ${left} more files, not listed)` : "";
      const words = `${answers[answer]} (confirm-deletes: ${policy})${more}`;
      return deleteEntry({ at, ...who, path, bytes, answer: words, ...content });
    });
  }

  #answer(at: string, { event, data }: Answer): string[] {
    const { question, by } = data;
    const asked = this.#asked.get(question);
    this.#asked.delete(question);
    if (!asked) return [];
    const why = event === "confirmation_denied" && data.reason !== "" ? `: ${data.reason}` : "";
    const isAllowed = event === "confirmation_given";
    const words = `by ${by.who} (${by.door})${why}`;
    return [answerEntry({ at, question, isAllowed, words, ...asked, task: this.#titled(asked.task) })];
  }

  #whoAndWhat(task: string): { readonly specialist: string; readonly task: string } {
    return { specialist: `@${this.#developers.get(task) ?? "unknown"}`, task: this.#titled(task) };
  }

  #titled(task: string): string {
    const title = this.#titles.get(task);
    return title === undefined ? task : `${task}: ${title}`;
  }
}

type Answer = EventOf<"confirmation_given"> | EventOf<"confirmation_denied">;

const answers = {
  allowed: "yes, by policy",
  refused: "no, by policy",
  asked: "a person is asked",
  dropped: "not asked, because the reply was refused for another reason",
} as const;

function askedIn({ task, items }: Events["confirmation_requested"]): Asked {
  const paths = items.slice(0, itemsMax).map(({ path = "", code }) => {
    return { path, isDelete: code === "CONFIRM_DELETE" };
  });
  return { task, items: paths, total: items.length };
}

/** The first problem, and how many there are. */
function refusalWords(problems: Events["reply_refused"]["problems"]): string {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return `the reply was refused as a whole: ${first?.message ?? "no reason was given"}${more}`;
}

function entryOf({ description, is_outside_work, ...operation }: RecordedOperation) {
  return {
    ...operation,
    description: description ?? "(changed at the desk by the agent itself)",
    place: "desk" as const,
    ...(is_outside_work && { remark: "not part of the work: git ignores it, or it is unchanged" }),
  };
}
