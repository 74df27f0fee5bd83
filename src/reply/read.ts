/** A model's words → data we can act on, or everything that is wrong with them. The one way in. */
import { extract } from "./extract.ts";
import { openReply } from "./open.ts";
import { emptyPromise } from "./promises.ts";
import { readTurn, type TurnOptions } from "./read-turn.ts";
import { soughtOperations } from "./sought-operations.ts";
import type { Source } from "./source.ts";
import { type Verdict, validate } from "./validate.ts";

/** With a desk or a task it is a turn of a run, and signals are read; else only operations count. */
export interface ReadOptions extends TurnOptions {
  /** The tag that this turn's prompt asked for (`cox-3f9a2c`): a block with it wins over everything else. */
  readonly fence?: string;
}

export function readReply(reply: Uint8Array | string, options: ReadOptions = {}): Verdict {
  const opened = openReply(reply, options.fence);
  if ("problem" in opened) return { problems: [opened.problem], warnings: [] };
  const isTurn = options.desk === true || options.task !== undefined;
  return isTurn ? readTurn(opened.source, options) : readOperations(opened.source);
}

function readOperations(source: Source): Verdict {
  const extraction = extract(source, soughtOperations);
  const promise = extraction.isMeant ? undefined : emptyPromise(source.text);
  if (promise !== undefined) return { problems: [promise], warnings: [] };
  return "value" in extraction ? validate(extraction.value) : { problems: extraction.problems, warnings: [] };
}
