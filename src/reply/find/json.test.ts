import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../test/sized.ts";
import { parseJson } from "./json.ts";
import { jsonLimits } from "./scan.ts";

function codes(text: string): string[] {
  const parsed = parseJson(text);
  return "problems" in parsed ? parsed.problems.map((problem) => problem.code) : [];
}

function first(text: string) {
  const parsed = parseJson(text);
  return "problems" in parsed ? parsed.problems[0] : undefined;
}

test.each([
  ["JSON-01 two equal keys", '{"path":"safe.txt","path":"../../etc/passwd"}', "JSON_DUPLICATE_KEY"],
  ["JSON-02 two keys equal after unescaping", '{"a":1,"\\u0061":2}', "JSON_DUPLICATE_KEY"],
  ["equal keys one level down", '[{"a":{"b":1,"b":1}}]', "JSON_DUPLICATE_KEY"],
  ["equal keys, the second far behind", `{"a":0,${keys(100)},"a":1}`, "JSON_DUPLICATE_KEY"],
  ["JSON-03 __proto__", '{"__proto__":{}}', "JSON_FORBIDDEN_KEY"],
  ["JSON-04 __proto__ with an escape", '{"\\u005f_proto__":{}}', "JSON_FORBIDDEN_KEY"],
  ["JSON-05 constructor", '{"constructor":{}}', "JSON_FORBIDDEN_KEY"],
  ["prototype", '{"a":[{"prototype":1}]}', "JSON_FORBIDDEN_KEY"],
  ["JSON-06 a million lists in each other", "[".repeat(1e6) + "]".repeat(1e6), "JSON_TOO_DEEP"],
  ["JSON-07 65 objects in each other", `${'{"a":'.repeat(64)}{}${"}".repeat(64)}`, "JSON_TOO_DEEP"],
  ["JSON-08 five million values", `[${"0,".repeat(5e6)}0]`, "LIMIT_NODES"],
  ["JSON-10 a number beyond the range", '{"a":1e999}', "JSON_NUMBER_RANGE"],
  ["a negative number beyond the range", "[-1e999]", "JSON_NUMBER_RANGE"],
  ["a number of 400 digits", `[${"9".repeat(400)}]`, "JSON_NUMBER_RANGE"],
  ["JSON-22 a key of 1 MB", `{"${"k".repeat(1e6)}":1}`, "LIMIT_KEY"],
  ["a key of 1,001 characters after unescaping", `{"${"\\u0061".repeat(1001)}":1}`, "LIMIT_KEY"],
  ["JSON-24 many keys", `{${keys(131072)}}`, "LIMIT_KEYS"],
])("JSON with %s is refused", (_, text, code) => {
  expect(codes(text)).toEqual([code]);
});

test.each([
  ["64 objects in each other", `${'{"a":'.repeat(63)}{}${"}".repeat(63)}`],
  ["the same key in two objects", '[{"a":1},{"a":2},{"b":{"a":1}}]'],
  ["a key that differs by an escape", '{"a":1,"\\u0062":2}'],
  ["forbidden words as values", '["__proto__","constructor","prototype"]'],
  ["JSON-25 names that other code might call", '{"toJSON":"x","then":1}'],
  ["a number just inside the range", "[1.7e308,-1.7e308,1e-999,-0]"],
  ["1,000 keys", `{${keys(1000)}}`],
  ["a key of 1,000 characters", `{"${"\\u0061".repeat(1000)}":1}`],
  ["white space everywhere", ' \r\n\t{ "a" : [ 1 , 2 ] , "b" : { } , "c" : [ ] } \n'],
  ["strings that end in backslashes", '["\\\\","\\\\\\\\","\\"","\\\\\\""]'],
  ["a string", '"x"'],
  ["literals", "[true,false,null]"],
])("%s: accepted, with the same value as JSON.parse", (_, text) => {
  expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
});

test.each([
  ["JSON-13 a key without quotes", "{\n  a:1}", /line 2, column 3: a key without quotes/, /"a"/],
  ["JSON-13 single quotes", "{'a':1}", /line 1, column 2/, /double quotes/],
  ["JSON-13 a comma too many", '{"a":1,}', /column 8: a comma before }/, /Remove the comma/],
  ["a comma too many in a list", "[1,]", /column 4: a value was expected before ]/, /Remove the comma/],
  ["JSON-13 a comment", '{"a":1} // comment', /column 9: a comment/, /no comments/],
  ["a comment inside", '{"a":1, /* x */ "b":2}', /column 9: a comment/, /no comments/],
  ["a raw line break", '{"a":"one\ntwo"}', /column 10: a raw line break/, /\\n/],
  ["a raw carriage return", '{"a":"one\rtwo"}', /column 10: a raw line break/, /\\n/],
  ["a raw tab", '{"a":"one\ttwo"}', /U\+0009/, /\\t/],
  ["a regex written as it is", '{"a":"\\d+"}', /column 7: \\d is not an escape/, /backslash/],
  ["a regex behind an escaped quote", '{"a":"\\"x\\d"}', /column 10: \\d is not an escape/, /backslash/],
  ["half an escape", '{"a":"\\u12"}', /column 7: \\u is not an escape/, /backslash/],
  ["a terminal's colours", '\u001b[32m{"a":1}\u001b[0m', /column 1: a terminal colour code/, /NO_COLOR/],
  ["colours inside a string", '{"a":"\u001b[32m"}', /colour code/, /NO_COLOR/],
  ["a cut-off text", '{"a":[1,2', /column 10: the text ends before the value is complete/, /cut off/],
  ["a cut-off string", '{"a":"hello', /the text ends inside a string/, /cut off/],
  ["nothing at all", "  ", /the text ends/, /cut off/],
  ["Python", '{"a":True}', /True is not a value/, /true/],
  ["NaN", '{"a":NaN}', /NaN is not a value/, /number/],
  ["a leading zero", "[01]", /not a valid JSON number/, /leading 0/],
  ["a plus sign", "[+1]", /not a valid JSON number/, /no \+/],
  ["a bare fraction", "[1.]", /not a valid JSON number/, /Write numbers/],
  ["a bare exponent", "[1e]", /not a valid JSON number/, /Write numbers/],
  ["typographic quotes", "{“a”:1}", /typographic quote/, /U\+0022/],
  ["something left out", '{"a":1, ...}', /left out/, /in full/],
  ["a missing comma", '{"a":1 "b":2}', /a comma or } was expected/, /comma/],
  ["a quote that is not escaped", '{"a":"say "hi""}', /a comma or } was expected/, /\\"/],
  ["brackets in the wrong order", '{"a":[1}', /] was expected, not }/, /order/],
  ["a missing colon", '{"a" 1}', /colon/, /"key": value/],
  ["two values", '{"a":1}{"a":1}', /more text after the value/, /only thing/],
])("in JSON, %s is a syntax error with its place and one hint", (_, text, message, hint) => {
  expect(first(text)).toMatchObject({ code: "JSON_SYNTAX" });
  expect(first(text)?.message).toMatch(message);
  expect(first(text)?.hint).toMatch(hint);
  expect(() => JSON.parse(text)).toThrow();
});

test("JSON with a million values is accepted, with one more it is not", () => {
  expect(codes(`[${"0,".repeat(999_998)}0]`)).toEqual([]);
  expect(codes(`[${"0,".repeat(999_999)}0]`)).toEqual(["LIMIT_NODES"]);
});

test("a JSON problem never carries raw control characters or a long text", () => {
  const { message } = first(`{"a":"${"x".repeat(5000)}\u0007\u202e${"y".repeat(5000)}"}`) ?? { message: "" };
  expect(message.length).toBeLessThan(200);
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("all duplicate and forbidden keys of JSON are named at once", () => {
  expect(codes('{"a":1,"a":2,"__proto__":3,"b":{"c":1,"c":1e999}}')).toEqual([
    "JSON_DUPLICATE_KEY",
    "JSON_FORBIDDEN_KEY",
    "JSON_DUPLICATE_KEY",
    "JSON_NUMBER_RANGE",
  ]);
});

test("our JSON reader accepts at most what JSON.parse accepts, with the same value", () => {
  const pieces = fc.constantFrom(
    ..."{}[],:\"\\ \n\tab01-.eE+'/u".split(""),
    '"a"',
    '"\\u0061"',
    "true",
    "null",
    '{"a":',
    "1e9",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
      const text = parts.join("");
      const parsed = parseJson(text);
      if ("value" in parsed) expect(parsed.value).toEqual(JSON.parse(text));
      else if (parsed.problems.some((problem) => problem.code === "JSON_SYNTAX")) {
        expect(() => JSON.parse(text)).toThrow();
      }
    }),
    { numRuns: sized({ sample: 1_000, campaign: 5_000 }) },
  );
});

test("the depth and duplicate keys of JSON are judged as by a plain recursive reader", () => {
  const limits = { ...jsonLimits, depth: 4, keysPerObject: 4, nodes: 12 };
  fc.assert(
    fc.property(treeArbitrary, fc.boolean(), (tree, spaced) => {
      const expected = naive(tree, limits);
      const parsed = parseJson(write(tree, spaced ? " \n" : ""), limits);
      const found = "problems" in parsed ? parsed.problems.map((problem) => problem.code) : [];
      expect([...new Set(found)].sort()).toEqual([...expected].sort());
    }),
    { numRuns: sized({ sample: 600, campaign: 3_000 }) },
  );
});

/** JSON with its keys as written, so that two of them can be equal. */
type Tree = string | number | { list: Tree[] } | { entries: [string, Tree][] };

const { tree: treeArbitrary } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: "large" },
    fc.constantFrom<Tree>('"x"', '"\\""', 7),
    fc.record({ list: fc.array(tie("tree"), { maxLength: 3 }) }),
    fc.record({
      entries: fc.array(fc.tuple(fc.constantFrom("a", "\\u0061", "b", "c", "d", '\\"'), tie("tree")), {
        maxLength: 5,
      }),
    }),
  ),
}));

function write(tree: Tree, space: string): string {
  if (typeof tree !== "object") return String(tree);
  if ("list" in tree) return `[${space}${tree.list.map((item) => write(item, space)).join(`,${space}`)}]`;
  const entries = tree.entries.map(([key, item]) => `"${key}"${space}:${write(item, space)}`);
  return `{${space}${entries.join(`${space},`)}${space}}`;
}

/** Reads in order and stops at the first limit; everything before that is reported. */
function naive(tree: Tree, limits: typeof jsonLimits): Set<string> {
  const found = new Set<string>();
  let nodes = 0;
  const walk = (at: Tree, depth: number): boolean => {
    nodes += 1;
    if (nodes > limits.nodes) {
      found.add("LIMIT_NODES");
      return false;
    }
    if (typeof at !== "object") return true;
    if (depth > limits.depth) {
      found.add("JSON_TOO_DEEP");
      return false;
    }
    if ("list" in at) return at.list.every((item) => walk(item, depth + 1));
    const seen = new Set<string>();
    return at.entries.every(([written, item], position) => {
      const key = JSON.parse(`"${written}"`) as string;
      if (position >= limits.keysPerObject) found.add("LIMIT_KEYS");
      else if (seen.has(key)) found.add("JSON_DUPLICATE_KEY");
      seen.add(key);
      return walk(item, depth + 1);
    });
  };
  walk(tree, 1);
  return found;
}

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${index}":0`).join(",");
}
