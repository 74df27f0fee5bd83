/** What a person sees before they allow something through a client: everything at once, bound to the bytes they see. */
import type { Considered } from "../../../runtime/acts/consider-reply.ts";
import { oneLine } from "../../../std/printable.ts";
import { differenceLines } from "../../../view/text/difference.ts";
import { noPaint } from "../../../view/text/paint.ts";

export const allow = "allow";
export const refuse = "do not allow";

const linesMax = 12;
const shownMax = 10;

export function confirmationWords({ confirmations, before, after }: Considered): string {
  const shown = confirmations.slice(0, shownMax).map(({ path, message }) => {
    const difference = differenceLines({ path, before: before(path), after: after(path) }, linesMax, noPaint);
    return `${oneLine(path, 200)}: ${message}\n${difference.join("\n")}`;
  });
  const more = confirmations.length - shown.length;
  const rest = more > 0 ? `\n… and ${more} more` : "";
  return `An agent wants to do this, and only you may allow it:\n\n${shown.join("\n\n")}${rest}`;
}
