/**
 * Asks a person about each thing that only a person may allow. A yes is bound to the very bytes that were shown:
 * they are what will be applied, and if the file there changes meanwhile, applying is refused.
 */
import type { Confirmation } from "../change/policy.ts";
import type { Considered } from "../runtime/consider-reply.ts";
import { printableLines } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { differenceLines } from "../view/difference.ts";
import type { Paint } from "../view/paint.ts";
import { problemText } from "../view/problems.ts";
import type { Person } from "./person.ts";

export interface Asking {
  readonly person: Person;
  readonly considered: Considered;
  readonly paint: Paint;
  readonly signal: AbortSignal;
}

/** The first one that was denied; nothing when all were confirmed. */
export async function confirm(asking: Asking): Promise<Problem | undefined> {
  for (const confirmation of asking.considered.confirmations) {
    asking.person.tell(question(confirmation, asking));
    if (!(await isConfirmed(confirmation, asking))) return denied(confirmation);
  }
  return undefined;
}

async function isConfirmed(confirmation: Confirmation, asking: Asking): Promise<boolean> {
  const { person, signal } = asking;
  for (;;) {
    const answer = (await person.ask("  Allow it? [y/N, d shows the diff] ", signal))?.toLowerCase();
    signal.throwIfAborted();
    if (answer === "d") person.tell(`${diff(confirmation, asking)}\n`);
    else return answer === "y" || answer === "yes";
  }
}

const deletePreview = { lines: 20, width: 160 };
const diffLinesMax = 200;

/** What is deleted is shown at once, since its bytes are what will be missed. */
function question(confirmation: Confirmation, { considered, paint }: Asking): string {
  const text = problemText(confirmation, "warning", paint);
  const change = changeOf(confirmation, considered);
  if (change.after || !change.before) return text;
  const lines = printableLines(decodeUtf8(change.before), deletePreview);
  return `${text}${lines.map((line) => `    ${paint("red", `- ${line}`)}\n`).join("")}`;
}

function diff(confirmation: Confirmation, { considered, paint }: Asking): string {
  return differenceLines(changeOf(confirmation, considered), diffLinesMax, paint).join("\n");
}

function changeOf({ path }: Confirmation, { before, after }: Considered) {
  return { path, before: before(path), after: after(path) };
}

function denied({ path, index }: Confirmation): Problem {
  return {
    code: "CONFIRM_DENIED",
    path,
    ...(index !== undefined && { index }),
    message: "you did not allow it, and a reply is applied wholly or not at all",
    hint: "Ask the model for a reply without this operation.",
  };
}
