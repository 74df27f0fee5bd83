/**
 * YAML as a small tree of texts with their places: plain values, lists, maps.
 *
 * A document cannot grow when it is read: aliases are not followed, and anything nested deeper than we need is ignored.
 * Values stay as spelled (`1e3`, `0x10`, `yes`); the reader of a value judges it.
 */
import { isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import { placeOf } from "../../std/place.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Span } from "../plan.ts";
import type { PlanFindings } from "../problem.ts";

export type YamlNode = YamlScalar | YamlList | YamlMap | YamlOther;

export interface YamlScalar {
  readonly kind: "scalar";
  readonly text: string;
  readonly at: Span;
}

export interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly at: Span;
}

export interface YamlMap {
  readonly kind: "map";
  readonly pairs: readonly YamlPair[];
  readonly at: Span;
}

/** An alias, or something nested too deeply. */
interface YamlOther {
  readonly kind: "other";
  readonly at: Span;
}

export interface YamlPair {
  readonly key: string;
  readonly name: Span;
  /** Missing if nothing follows the colon. */
  readonly value?: YamlNode;
}

/** Which document the YAML is from, for the codes and messages of its problems. */
export interface YamlSource {
  readonly prefix: "PLAN" | "CONFIG" | "PROFILE" | "OPTION" | "WORKFLOW";
  /** "the front matter". */
  readonly name: string;
  readonly limitCode: string;
}

/** Far more than a person would write. */
const lengthMax = 64 * 1024;
/** An agent's command is on the fourth level. */
const depthMax = 8;

/** Reads the YAML in `span` of `text` as a map; undefined if it is not one. Every mistake is recorded. */
export function readYamlMap(
  text: string,
  { start, end }: Span,
  { source, findings }: { source: YamlSource; findings: PlanFindings },
): YamlMap | undefined {
  const bad = (at: Span, message: string, hint: string) =>
    findings.block(`${source.prefix}_BAD_YAML`, at, message, hint);
  if (end - start > lengthMax) {
    const message = `${source.name} has ${end - start} characters; the limit is ${lengthMax}`;
    findings.block(
      source.limitCode,
      { start, end },
      message,
      "Remove what is not a setting; a page's own words belong in its text.",
    );
    return undefined;
  }
  const document = parsed(text.slice(start, end));
  if (!document) {
    bad({ start, end }, `${source.name} is nested too deeply`, "Write `key: value` lines.");
    return undefined;
  }
  for (const { message, pos } of document.errors) {
    const [what = ""] = message.split(/ at line \d+|\n/);
    const at = { start: start + pos[0], end: start + Math.max(pos[1], pos[0] + 1) };
    const hint = "Write `key: value` lines; put a value with : or # in it into quotes.";
    bad(at, `${source.name} is not valid YAML: ${oneLine(what)}`, hint);
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return { kind: "map", pairs: [], at: { start, end } };
  if (isMap(contents)) {
    const tree = new Planter(text, start, { source, findings }).plant(contents, 0);
    return tree.kind === "map" ? tree : undefined;
  }
  if (document.errors.length === 0)
    bad({ start, end }, `${source.name} is not a list of settings`, "Write `key: value` lines.");
  return undefined;
}

function parsed(yaml: string) {
  try {
    return parseDocument(yaml, {
      // `silent` would let a second document go unnoticed.
      logLevel: "error",
      keepSourceTokens: false,
      strict: true,
      // The parser's check compares every key with every other; ours also says where the first one is.
      uniqueKeys: false,
    });
  } catch {
    // Thousands of open brackets exhaust the parser's stack.
    return undefined;
  }
}

class Planter {
  constructor(
    private readonly text: string,
    private readonly offset: number,
    private readonly noting: { readonly source: YamlSource; readonly findings: PlanFindings },
  ) {}

  plant(node: Node, depth: number): YamlNode {
    const at = this.spanOf(node);
    if (isScalar(node)) return { kind: "scalar", text: scalarText(node), at };
    if (depth >= depthMax) return { kind: "other", at };
    if (isSeq(node)) {
      return { kind: "list", items: node.items.map((item) => this.plant(item as Node, depth + 1)), at };
    }
    return isMap(node) ? { kind: "map", pairs: this.pairs(node, depth), at } : { kind: "other", at };
  }

  private pairs(map: { readonly items: readonly { key: unknown; value: unknown }[] }, depth: number) {
    const { source, findings } = this.noting;
    const byKey = new Map<string, YamlPair>();
    for (const { key, value } of map.items) {
      const name = this.spanOf(key as Node | null);
      if (!isScalar(key)) {
        findings.block(
          `${source.prefix}_BAD_YAML`,
          name,
          "a name is neither a word nor a text",
          "Write `key: value` lines.",
        );
        continue;
      }
      const spelled = scalarText(key);
      const before = byKey.get(spelled);
      if (before) {
        const { line } = placeOf(this.text, before.name.start);
        const message = `${quote(spelled, 60)} is set twice, first on line ${line}, and only one can apply`;
        findings.block(`${source.prefix}_DUPLICATE_KEY`, name, message, "Leave one of them out.");
        continue;
      }
      const planted = value ? this.plant(value as Node, depth + 1) : undefined;
      byKey.set(spelled, { key: spelled, name, ...(planted ? { value: planted } : {}) });
    }
    return [...byKey.values()];
  }

  private spanOf(node: Node | null): Span {
    const [start, end] = node?.range ?? [0, 0];
    return { start: this.offset + start, end: this.offset + end };
  }
}

function scalarText({ value, source }: { readonly value: unknown; readonly source?: string }): string {
  return typeof value === "string" ? value : (source ?? "").trim();
}
