/** The runs of a repository, to look at: takes no lock and writes nothing. */
import { RunLook } from "../runtime/look-at-run.ts";
import { RunFolder } from "../runtime/run-folder.ts";
import { unreachable } from "../std/assert.ts";
import { jsonText } from "../view/json-text.ts";
import { LogReader, logLineText } from "../view/log-line.ts";
import { noPaint } from "../view/paint.ts";
import { openQuestions } from "../view/questions.ts";
import { statusDocument } from "../view/status.ts";
import type { Clock } from "../world/clock.ts";
import type { Files } from "../world/files.ts";
import { RunWatch } from "./run-watch.ts";

/** What can be seen of a run: how it stands, what waits for a person, what happened last. */
export const runViews = ["status", "questions", "log"] as const;
export type RunView = (typeof runViews)[number];

export interface Runs {
  /** Newest first. */
  list(): readonly string[];
  /** Its text; nothing when there is no such run. */
  read(run: string, view: RunView): Promise<string | undefined>;
  /** Calls with those that came, went, or in which something happened, a while after. */
  watch(tell: (runs: readonly string[]) => void): () => void;
}

export function runsOf({ files, clock }: { files: Files; clock: Clock }, root: string): Runs {
  const list = () => RunFolder.list(files, root);
  return {
    list,
    async read(run, view) {
      // By its name in the list, because a name from outside may be a path.
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
  const lines = [];
  for (let more = await look.read(); more.length > 0; more = await look.read())
    lines.push(...more.map((record) => reader.read(record)));
  switch (view) {
    case "status":
      return indented(statusDocument(look.seen(now)));
    case "questions": {
      const { state, now: moment } = look.seen(now);
      return indented({ questions: openQuestions(state, moment) });
    }
    case "log":
      return lines
        .filter(({ level }) => level <= usualLevel)
        .slice(-linesMax)
        .map(
          (line) => `${logLineText(line, { columns: 2000, paint: noPaint, ascii: false, clock: isoTime })}\n`,
        )
        .join("");
    default:
      return unreachable(view);
  }
}

/** As `cox log` shows it unless it is asked for more. */
const usualLevel = 2;
/** A few thousand tokens; the whole is for `cox log`. */
const linesMax = 100;

function indented(document: object): string {
  return `${JSON.stringify(JSON.parse(jsonText(document)), null, 2)}\n`;
}

/** A client may be in another time zone than we are. */
function isoTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
