import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, type Json } from "./canonical-json.ts";

const json = fc.jsonValue() as fc.Arbitrary<Json>;

test("canonical JSON is JSON of the same value", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("the order in which keys were set makes no difference to canonical JSON", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(value));
    }),
  );
});

test.each<[string, Json, string]>([
  ["sorted keys", { b: 1, a: [{ d: null, c: true }] }, '{"a":[{"c":true,"d":null}],"b":1}'],
  ["order by code units", { é: 1, z: 2, Z: 3, "10": 4, "9": 5 }, '{"10":4,"9":5,"Z":3,"z":2,"é":1}'],
  ["what is not said left out", { a: undefined, b: "" }, '{"b":""}'],
  ["minus zero as zero", [-0, 1e21, 0.1], "[0,1e+21,0.1]"],
])("%s", (_what, value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, new Map(), new Date(0), [undefined], () => 1, 1n])(
  "%s has no canonical JSON",
  (value) => {
    expect(() => canonicalJson(value as Json)).toThrow();
  },
);
