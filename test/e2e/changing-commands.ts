/**
 * Every command that changes something, with what it changes, for tests that type many of them at the same moment.
 * `test/tidy.test.ts` checks that no command of the program is forgotten: it is listed here or in
 * `reading-commands.ts`, or that test says why it need not be.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, replyOf } from "../bad-inputs/row.ts";
import { appliedIds, ledgerOf } from "./ledger.ts";
import type { ReadyRepository } from "./ready-repository.ts";

export interface ChangingCommand {
  /** What is typed after `cox`. `at` distinguishes commands typed at the same moment. */
  args(at: number, repository: ReadyRepository): readonly string[];
  readonly stdin?: (at: number) => string;
  /** How many times its effect has happened. */
  effects(repository: ReadyRepository): number;
  /** `once`: only once, however many type it. `each`: once for each command that reports success. */
  readonly times: "once" | "each";
}

const list = (repository: ReadyRepository) => {
  const path = join(repository.root, ".coxswain/coordinator/active.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const count = (text: string, wanted: RegExp) => text.match(wanted)?.length ?? 0;

export const changingCommands: Readonly<Record<string, ChangingCommand>> = {
  run: {
    args: () => ["run", "next.md", "--yes"],
    effects: (it) => it.runs().filter((run) => run.startsWith("next-")).length,
    times: "once",
  },
  resume: {
    args: (_, { main }) => ["resume", main],
    effects: (it) => it.happened("task_commit_recorded").filter(({ task }) => task === "goes-on").length,
    times: "once",
  },
  land: {
    args: (_, { main }) => ["land", main, "--yes"],
    effects: (it) => it.happened("run_landed").length,
    times: "once",
  },
  "land (another run)": {
    args: (_, { over }) => ["land", over, "--yes"],
    effects: (it) => it.happened("run_landed", it.over).length,
    times: "once",
  },
  rollback: {
    args: (_, { main }) => ["rollback", "done", "--run", main, "--yes"],
    effects: (it) => it.happened("task_rolled_back").length,
    times: "once",
  },
  retry: {
    args: (_, { main }) => ["retry", "fails", "--run", main],
    effects: (it) => it.happened("task_retried").length,
    times: "once",
  },
  answer: {
    args: (at, { main, questions }) => ["answer", questions.asks, `port ${at}`, "--run", main],
    effects: (it) =>
      it.happened("divine_response_received").filter(({ question }) => question === it.questions.asks).length,
    times: "once",
  },
  confirm: {
    args: (_, { main, questions }) => ["confirm", questions.deletes, "--run", main],
    effects: (it) => it.happened("confirmation_given").length,
    times: "once",
  },
  deny: {
    args: (_, { main, questions }) => ["deny", questions.deletes, "keep it", "--run", main],
    effects: (it) => it.happened("confirmation_denied").length,
    times: "once",
  },
  pause: {
    args: (_, { main }) => ["pause", main],
    effects: (it) => it.happened("run_paused").length,
    times: "once",
  },
  stop: {
    args: (_, { main }) => ["stop", main],
    effects: (it) => it.happened("run_stopped").length,
    times: "once",
  },
  approve: {
    args: () => ["approve", "next.md", "--yes"],
    effects: (it) => {
      const path = join(it.folder, "state/coxswain/trust.json");
      return count(readFileSync(path, "utf8"), /"plan"/g) - 2;
    },
    times: "once",
  },
  apply: {
    args: (at) => ["apply", "--id", `at-once-${at}`],
    stdin: (at) => replyOf(create(`at-once/${at}.txt`)),
    effects: (it) => appliedIds(it.root).filter((id) => id.startsWith("at-once-")).length,
    times: "each",
  },
  "apply (one id)": {
    args: () => ["apply", "--id", "same"],
    stdin: () => replyOf(create("same.txt")),
    effects: (it) => appliedIds(it.root).filter((id) => id === "same").length,
    times: "once",
  },
  undo: {
    args: () => ["undo", "first"],
    effects: (it) =>
      ledgerOf(it.root).filter(
        ({ event, data }) => event === "changeset_prepared" && "undoes" in data && data.undoes === "first",
      ).length,
    times: "once",
  },
  "undo --documents": {
    args: () => ["undo", "--documents", "4"],
    effects: (it) => 1 - count(list(it), /^### One more$/gm),
    times: "once",
  },
  gc: {
    args: () => ["gc", "--keep", "0"],
    effects: (it) => (it.git("for-each-ref", `refs/coxswain/${it.over}`) === "" ? 1 : 0),
    times: "once",
  },
  init: {
    args: () => ["init", "--mcp", "--yes"],
    effects: (it) => {
      const path = join(it.root, ".mcp.json");
      return existsSync(path) ? count(readFileSync(path, "utf8"), /"coxswain":/g) : 0;
    },
    times: "once",
  },
  "task add": {
    args: (at) => ["task", "add", `Another ${at}`],
    effects: (it) => count(list(it), /^### Another/gm),
    times: "each",
  },
  "task start": {
    args: () => ["task", "start", "--document", "/api.md#sign"],
    effects: (it) => count(it.read(".coxswain/docs/api.md"), /^- Status: in_progress$/gm),
    times: "once",
  },
  "task note": {
    args: (at) => ["task", "note", `words ${at}`, "--task", "fix-it"],
    effects: (it) => count(list(it), /words \d+/g),
    times: "each",
  },
  "task done": {
    args: () => ["task", "done", "--task", "find-the-leak", "--note", "It was the cache."],
    effects: (it) => count(list(it), /It was the cache\./g),
    times: "once",
  },
  "log --repair": {
    args: (_, { damaged }) => ["log", damaged, "--repair", "--yes"],
    effects: (it) => it.filesOf(it.damaged).filter((name) => name.includes("jsonl.before-repair")).length,
    times: "once",
  },
};
