/** Guesses which field was meant by an unknown key: another word for it, or a typo. */
import { hasEffect } from "../../std/no-effect-yet.ts";
import { isOneSlip, type Suggestions } from "../suggestions.ts";
import { offeredFieldNames } from "./field.ts";

/** The field that was surely meant; undefined if the key may be a word of its own. */
export function mistypedField(key: string): string | undefined {
  const slip = fieldKeys.find((known) => isOneSlip(key, known));
  return slip === undefined ? undefined : spelledField(slip);
}

/** Other names for our fields. */
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
  if (other !== undefined && hasEffect("field", other)) return other;
  if (key.length < 3) return undefined;
  const near = suggestions.nearest(key, fieldKeys);
  return near === undefined ? undefined : spelledField(near);
}

const fieldKeys = [
  ...offeredFieldNames.map((name) => name.toLowerCase()),
  ...["needs", "blocked-by", "files", "check"],
];

function spelledField(key: string): string {
  return offeredFieldNames.find((name) => name.toLowerCase() === key) ?? capitalised(key);
}

/** The way people write a key. */
export function capitalised(word: string): string {
  return word.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
