/**
 * Turns a model's words into data we can act on, or into everything that is wrong with them. This is the only way in.
 */

import { emptyPromise } from "./check/promises.ts";
import { type Verdict, validate } from "./check/validate.ts";
import { expectedOperations } from "./find/expected-operations.ts";
import { extract } from "./find/extract.ts";
import { openReply } from "./find/open.ts";
import type { Source } from "./find/source.ts";
import { readTurn, type TurnOptions } from "./read-turn.ts";

/** With a desk or a task it is a turn of a run, and signals are read; otherwise only operations count. */
export interface ReadOptions extends TurnOptions {
  /**
   * The tag that this turn's prompt asked for (`cox-3f9a2c`): a block with it takes precedence over everything else.
   */
  readonly fence?: string;
}

export function readReply(reply: Uint8Array | string, options: ReadOptions = {}): Verdict {
  const opened = openReply(reply, options.fence);
  if ("problem" in opened) return { problems: [opened.problem], warnings: [] };
  const isTurn = options.desk === true || options.task !== undefined;
  return isTurn ? readTurn(opened.source, options) : readOperations(opened.source);
}

function readOperations(source: Source): Verdict {
  const extraction = extract(source, expectedOperations);
  const promise = extraction.isMeant ? undefined : emptyPromise(source.text);
  if (promise !== undefined) return { problems: [promise], warnings: [] };
  return "value" in extraction ? validate(extraction.value) : { problems: extraction.problems, warnings: [] };
}
