/** Reads one plain value of a configuration: no list, no control characters, and not unreasonably long. */

import type { Span } from "../../plan/plan.ts";
import { type EntryContext, readEntry, type SettingEntry } from "../../plan/read/entry.ts";
import type { YamlPair } from "../../plan/read/yaml-tree.ts";
import { quote } from "../../std/printable.ts";

export interface PlainWord {
  readonly text: string;
  readonly at: Span;
}

interface WordRules {
  readonly example: string;
  readonly lengthMax?: number;
  /** The value may be a secret, so messages do not repeat it. */
  readonly isHidden?: boolean;
}

/** Undefined if there is no value, or if it is refused. */
export function readPlainWord(
  pair: YamlPair | undefined,
  reading: EntryContext & { readonly text: string },
  { example, lengthMax = 200, isHidden = false }: WordRules,
): PlainWord | undefined {
  const entry = pair && readEntry(reading.text, pair, reading);
  if (!pair || !entry) return undefined;
  const [only, second] = entry.values;
  const text = only?.text.trim() ?? "";
  if (!second && !entry.isList && text.length <= lengthMax && !/[\u0000-\u001f\u007f]/.test(text))
    return text === "" ? undefined : { text, at: entry.value };
  const not = isHidden ? "" : `, not ${shown(entry)}`;
  reading.findings.block(
    "SCHEMA_RANGE",
    entry.value,
    `${pair.key} must be one plain value of at most ${lengthMax} characters${not}`,
    `Write for example: ${example}`,
  );
  return undefined;
}

function shown({ values }: SettingEntry): string {
  if (values.length === 0) return "an empty list";
  return values
    .slice(0, 3)
    .map(({ text }) => quote(text, 60))
    .join(", ");
}
