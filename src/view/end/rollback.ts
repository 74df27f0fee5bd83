/** A rollback in words, before and after it is done. */
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import { named, shortSha } from "../status/task-words.ts";
import { type Display, lineText } from "../text/line.ts";

export interface RollbackShown {
  /** In the order in which they are reverted. */
  readonly reverts: readonly {
    readonly task: string;
    readonly title: string;
    readonly commit: string;
    readonly files: readonly string[];
  }[];
  /** Tasks that work on top of them; they stop and start again. */
  readonly aborted: readonly string[];
}

const rowsMax = 20;

export function rollbackText({ reverts, aborted }: RollbackShown, look: Display): string {
  const rows = reverts
    .slice(0, rowsMax)
    .map(({ task, title, commit, files }) =>
      lineText(
        [
          "  ",
          ["yellow", shortSha(commit)],
          ` ${oneLine(task, 80)}: ${oneLine(title, 120)}`,
          ["dim", ` (${named(files, 4) || "no files"})`],
        ],
        look,
      ),
    );
  const left = reverts.length - rows.length;
  return [
    lineText([["bold", `${counted(reverts.length, "task")} to be reverted, in this order:`]], look),
    ...rows,
    ...(left > 0 ? [`  … ${counted(left, "more task")}`] : []),
    ...(aborted.length > 0
      ? [lineText([`  Stops and starts again: ${named(aborted, 8)} (depends on it)`], look)]
      : []),
    "",
  ].join("\n");
}
