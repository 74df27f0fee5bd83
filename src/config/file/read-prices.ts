/** Reads the `prices:` block of a configuration: models by name, each with its price per million tokens. */
import type { YamlNode, YamlPair } from "../../plan/read/yaml-tree.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Price, Prices } from "../crew/prices.ts";
import type { ConfigReadContext } from "./read-agents.ts";

const example = "Write for example: my-model: { input: 3, output: 15, cached: 0.3 }";
const keys = ["input", "output", "cached"] as const;
type Key = (typeof keys)[number];

export function readPrices(pair: YamlPair | undefined, reading: ConfigReadContext): Prices {
  const { value } = pair ?? {};
  if (!value || (value.kind === "scalar" && value.text === "")) return {};
  if (value.kind !== "map") {
    reading.findings.block("CONFIG_BAD_PRICE", value.at, "prices is not a list of models by name", example);
    return {};
  }
  return Object.fromEntries(
    value.pairs
      .filter(({ key }) => !key.toLowerCase().startsWith("x-"))
      .flatMap((each) => {
        const price = readPrice(each, reading);
        return price ? [[each.key, price]] : [];
      }),
  );
}

function readPrice({ key: model, name, value }: YamlPair, reading: ConfigReadContext): Price | undefined {
  const { findings, suggestions } = reading;
  const wrong = (at = value?.at ?? name, what = "has no price in dollars per million tokens") => {
    findings.block("CONFIG_BAD_PRICE", at, `the model ${quote(model, 60)} ${what}`, example);
    return undefined;
  };
  if (value?.kind !== "map") return wrong();
  const said = new Map<Key, number>();
  for (const each of value.pairs) {
    const key = keys.find((one) => one === each.key.toLowerCase());
    if (key === undefined) {
      const near = suggestions.nearest(each.key.toLowerCase(), keys);
      const message = `${quote(each.key, 60)} is not a key of a price; it is kept and has no effect`;
      const hint = near ? `Did you mean ${near}?` : `A price has: ${keys.join(", ")}.`;
      if (!each.key.toLowerCase().startsWith("x-"))
        findings.warn("CONFIG_UNKNOWN_KEY", each.name, message, hint);
      continue;
    }
    const amount = amountIn(each.value);
    if (amount === undefined)
      return wrong(
        each.value?.at ?? each.name,
        `has ${key}: ${shown(each.value)}, which is not a number of dollars`,
      );
    said.set(key, amount);
  }
  const [input, output, cached] = keys.map((key) => said.get(key));
  if (input === undefined || output === undefined) {
    return wrong(value.at, `has no ${input === undefined ? "input" : "output"}: both are needed`);
  }
  return { input, output, ...(cached !== undefined && { cached }) };
}

/** More is a misplaced decimal point: the most expensive model ever cost 600. */
const dollarsMax = 10_000;

function amountIn(value: YamlNode | undefined): number | undefined {
  if (value?.kind !== "scalar" || !/^\$?\d{1,6}(\.\d{1,8})?$/.test(value.text)) return undefined;
  const amount = Number(value.text.replace("$", ""));
  return amount <= dollarsMax ? amount : undefined;
}

function shown(value: YamlNode | undefined): string {
  return value?.kind === "scalar" ? oneLine(value.text, 40) : "something else";
}
