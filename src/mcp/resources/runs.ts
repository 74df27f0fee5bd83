/** Read-only access to the runs of a repository: takes no lock and writes nothing. */

import { RunFolder } from "../../runtime/folder/run-folder.ts";
import { RunLook } from "../../runtime/look-at-run.ts";
import { unreachable } from "../../std/assert.ts";
import { LogReader, logLineText } from "../../view/log/log-line.ts";
import { openQuestions } from "../../view/questions.ts";
import { statusDocument } from "../../view/status/status.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { noPaint } from "../../view/text/paint.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { Files } from "../../world/files/files.ts";
import type { Clock } from "../../world/time/clock.ts";
import { RunWatch } from "./run-watch.ts";

/** The views of a run: its status, what waits for a person, and what happened last. */
export const runViews = ["status", "questions", "log"] as const;
export type RunView = (typeof runViews)[number];

export interface RunLibrary {
  /** Newest first. */
  list(): readonly string[];
  /** The text of a view; undefined if there is no such run. Throws if its log is damaged, as `cox resume` would. */
  read(run: string, view: RunView): Promise<string | undefined>;
  /** Calls back some time later with the runs that appeared, disappeared, or in which something happened. */
  watch(tell: (runs: readonly string[]) => void): () => void;
}

export function runsOf({ files, clock }: { files: Files; clock: Clock }, root: string): RunLibrary {
  const list = () => RunFolder.list(files, root);
  return {
    list,
    async read(run, view) {
      // Look it up in the list, because a name from outside may be a path.
      if (!list().includes(run)) return undefined;
      const folder = RunFolder.open(files, root, run);
      if (!folder) return undefined;
      const look = new RunLook(files, folder);
      try {
        return await textOf(look, view, clock.now());
      } finally {
        look.close();
      }
    },
    watch: (tell) => new RunWatch(() => RunFolder.stamps(files, root), tell).begin(),
  };
}

async function textOf(look: RunLook, view: RunView, now: number): Promise<string> {
  const reader = new LogReader();
  const lines = (await look.read()).map((record) => reader.read(record));
  look.mustBeSound();
  const { warnings } = look;
  const trouble = { warnings: warnings.map(problemDocument) };
  switch (view) {
    case "status":
      return jsonText({ ...statusDocument(look.seen(now)), ...trouble }, 2);
    case "questions": {
      const { state, now: moment } = look.seen(now);
      return jsonText({ questions: openQuestions(state, moment), ...trouble }, 2);
    }
    case "log": {
      const shown = lines.filter(({ level }) => level <= usualLevel).slice(-linesMax);
      const warningText = problemsText(warnings, "warning", noPaint);
      return (
        warningText +
        shown.map((line) => `${logLineText(line, { ...plain, taskWidth: reader.taskWidth })}\n`).join("")
      );
    }
    default:
      return unreachable(view);
  }
}

const plain = { columns: 2000, paint: noPaint, ascii: false, clock: isoTime };

/** The default level of `cox log`. */
const usualLevel = 2;
/** A few thousand tokens; `cox log` shows everything. */
const linesMax = 100;

/** The client may be in another time zone. */
function isoTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
