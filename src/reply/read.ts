/** A model's words → data we can act on, or everything that is wrong with them. The one way in. */
import { type ExtractOptions, extract } from "./extract.ts";
import { emptyPromise } from "./promises.ts";
import type { Verdict } from "./validate.ts";

export function readReply(reply: Uint8Array | string, options: ExtractOptions = {}): Verdict {
  const { words, ...verdict } = extract(reply, options);
  const promise = words === undefined ? undefined : emptyPromise(words);
  return promise === undefined ? verdict : { problems: [promise], warnings: [] };
}
