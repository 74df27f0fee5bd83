/**
 * Asks a person about each change that only a person may allow. A yes covers exactly the bytes that were shown: they
 * are what will be applied, and if the file on disk changes meanwhile, applying is refused.
 */
import type { Confirmation } from "../../change/policy/policy.ts";
import type { Considered } from "../../runtime/acts/consider-reply.ts";
import { printableLines } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { differenceLines } from "../../view/text/difference.ts";
import type { Paint } from "../../view/text/paint.ts";
import { problemText } from "../../view/text/problems.ts";
import type { Person } from "../terminal/person.ts";

export interface ConfirmInput {
  readonly person: Person;
  readonly considered: Considered;
  readonly paint: Paint;
  readonly signal: AbortSignal;
}

/** Returns a problem for the first confirmation that was denied; `undefined` if all were confirmed. */
export async function confirm(asking: ConfirmInput): Promise<Problem | undefined> {
  for (const confirmation of asking.considered.confirmations) {
    asking.person.tell(question(confirmation, asking));
    if (!(await isConfirmed(confirmation, asking))) return denied(confirmation);
  }
  return undefined;
}

async function isConfirmed(confirmation: Confirmation, asking: ConfirmInput): Promise<boolean> {
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

/** Shows the content of a deleted file at once, because it is what will be lost. */
function question(confirmation: Confirmation, { considered, paint }: ConfirmInput): string {
  const text = problemText(confirmation, "warning", paint);
  const change = changeOf(confirmation, considered);
  if (change.after || !change.before) return text;
  const lines = printableLines(decodeUtf8(change.before), deletePreview);
  return `${text}${lines.map((line) => `    ${paint("red", `- ${line}`)}\n`).join("")}`;
}

function diff(confirmation: Confirmation, { considered, paint }: ConfirmInput): string {
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
    message: "you did not allow it, and a reply is applied as a whole or not at all",
    hint: "Ask the model for a reply without this operation.",
  };
}
