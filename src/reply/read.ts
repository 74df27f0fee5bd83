/** A model's words → data we can act on, or everything that is wrong with them. The one way in. */
import { extract } from "./extract.ts";
import { emptyPromise } from "./promises.ts";
import { soughtOperations } from "./sought-operations.ts";
import { openSource } from "./source.ts";
import { type Verdict, validate } from "./validate.ts";

export interface ReadOptions {
  /** The tag that this turn's prompt asked for (`cox-3f9a2c`): a block with it wins over everything else. */
  readonly fence?: string;
}

export function readReply(reply: Uint8Array | string, { fence }: ReadOptions = {}): Verdict {
  const opened = openSource(reply, fence);
  if ("problem" in opened) return { problems: [opened.problem], warnings: [] };
  const { source } = opened;
  const extraction = extract(source, soughtOperations);
  const promise = extraction.isMeant ? undefined : emptyPromise(source.text);
  if (promise !== undefined) return { problems: [promise], warnings: [] };
  return "value" in extraction ? validate(extraction.value) : { problems: extraction.problems, warnings: [] };
}
