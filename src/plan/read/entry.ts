/** One setting as written: its key, and one plain value or a list of them, each with its place. */
import { oneLine } from "../../std/printable.ts";
import type { Span } from "../plan.ts";
import type { PlanFindings } from "../problem.ts";
import { plainKey } from "./field.ts";
import type { YamlNode, YamlPair, YamlScalar, YamlSource } from "./yaml-tree.ts";

export interface SettingEntry {
  /** In lower case, with hyphens. */
  readonly key: string;
  readonly name: Span;
  /** Scalars as spelled in the source; a list keeps its order. */
  readonly values: readonly { readonly text: string; readonly at: Span }[];
  readonly value: Span;
  readonly isList: boolean;
}

export interface EntryContext {
  readonly source: YamlSource;
  readonly findings: PlanFindings;
}

/** Undefined, with a finding, if the value is neither plain nor a list of plain values. */
export function readEntry(
  text: string,
  pair: YamlPair,
  { source, findings }: EntryContext,
): SettingEntry | undefined {
  const { key, name, value } = pair;
  const at = value?.at ?? { start: name.end, end: name.end };
  const nodes = value === undefined ? [] : value.kind === "list" ? value.items : [value];
  if (!nodes.every(isScalar)) {
    findings.block(
      `${source.prefix}_BAD_YAML`,
      at,
      `${oneLine(key, 60)} has a value that is neither plain nor a list of plain values`,
      "Write a plain value, or a list of plain values.",
    );
    return undefined;
  }
  const isList = value?.kind === "list";
  return {
    key: plainKey(key),
    name,
    values: isList ? nodes : nodes.filter((one) => one.text !== ""),
    value: trimmedEnd(text, at),
    isList,
  };
}

function isScalar(node: YamlNode): node is YamlScalar {
  return node.kind === "scalar";
}

function trimmedEnd(text: string, { start, end }: Span): Span {
  let to = end;
  while (to > start && /\s/.test(text[to - 1] ?? "")) to -= 1;
  return { start, end: to };
}
