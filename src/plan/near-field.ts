/** The field of ours that somebody probably meant by a key that is none: by another word for it, or by a slip of the pen. */
import { fieldNames } from "./field.ts";
import { isOneSlip, type Suggestions } from "./suggestions.ts";

/** One that was surely meant; nothing where it may be a word of its own. */
export function mistypedField(key: string): string | undefined {
  const slip = fieldKeys.find((known) => isOneSlip(key, known));
  return slip === undefined ? undefined : spelledField(slip);
}

/** What others call our fields. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["dependencies", "Depends-On"],
  ["depends", "Depends-On"],
  ["deps", "Depends-On"],
  ["after", "Depends-On"],
  ["requires", "Depends-On"],
  ["assignee", "Agent"],
  ["owner", "Agent"],
  ["test", "Verify"],
  ["tests", "Verify"],
  ["acceptance", "Success"],
  ["criteria", "Success"],
  ["outputs", "Produces"],
  ["slug", "Id"],
]);

export function nearestField(key: string, suggestions: Suggestions): string | undefined {
  const other = otherNames.get(key);
  if (other) return other;
  if (key.length < 3) return undefined;
  const near = suggestions.nearest(key, fieldKeys);
  return near === undefined ? undefined : spelledField(near);
}

const fieldKeys = [...fieldNames.map((name) => name.toLowerCase()), "needs", "blocked-by", "files", "check"];

function spelledField(key: string): string {
  return fieldNames.find((name) => name.toLowerCase() === key) ?? capitalised(key);
}

/** As one writes a key. */
export function capitalised(word: string): string {
  return word.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
