/** One plain value of a configuration: no list, nothing that moves a cursor, and no longer than anybody would write. */
import { type Entry, type Noting, readEntry } from "../plan/entry.ts";
import type { Span } from "../plan/plan.ts";
import type { YamlPair } from "../plan/yaml-tree.ts";
import { quote } from "../std/printable.ts";

export interface PlainWord {
  readonly text: string;
  readonly at: Span;
}

interface Wish {
  readonly example: string;
  readonly lengthMax?: number;
  /** What stands there may be a secret, and is not repeated. */
  readonly isHidden?: boolean;
}

/** Nothing where nothing is said, and where what is said is refused. */
export function readPlainWord(
  pair: YamlPair | undefined,
  reading: Noting & { readonly text: string },
  { example, lengthMax = 200, isHidden = false }: Wish,
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

function shown({ values }: Entry): string {
  if (values.length === 0) return "an empty list";
  return values
    .slice(0, 3)
    .map(({ text }) => quote(text, 60))
    .join(", ");
}
