import fc from "fast-check";
import { expect, test } from "vitest";
import type { Replacement } from "../../reply/reply.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { fromBytes } from "./lines.ts";
import { replace } from "./replace.ts";

test("an exact text is replaced once", () => {
  expect(edited("let a = 1;\nlet b = 2;\n", change("b = 2", "b = 3"))).toBe("let a = 1;\nlet b = 3;\n");
});

test("OPS-06: dollar signs in the replacement are literal", () => {
  expect(edited("abac", change("b", "[$& $` $' $1 $$]"))).toBe("a[$& $` $' $1 $$]ac");
});

test("OPS-09: a byte order mark stays", () => {
  expect(edited("\ufeffone\r\ntwo", change("one", "1"))).toBe("\ufeff1\r\ntwo");
});

test("OPS-13: a missing last line end stays missing", () => {
  expect(edited("one\ntwo", change("two", "three"))).toBe("one\nthree");
});

test("later edits of a file see what earlier ones wrote", () => {
  expect(edited("one", change("one", "two"), change("two", "three"))).toBe("three");
});

test("replace_all replaces every match from the left", () => {
  expect(edited("aaaa b aa", { ...change("aa", "x"), replaceAll: true })).toBe("xx b x");
});

test("OPS-03: an empty text to find is refused", () => {
  expect(problem("abc", change("", "x"))).toMatchObject({
    code: "OPS_EMPTY_FIND",
    field: "edits[0].old_string",
  });
});

test("OPS-05: two matches are ambiguous, and both lines are named", () => {
  const refusal = problem("x = 1\ny\nx = 1\n", change("x = 1", "x = 2"));
  expect(refusal).toMatchObject({ code: "OPS_FIND_AMBIGUOUS" });
  expect(refusal.message).toContain("lines 1, 3");
});

test("OPS-12: overlapping matches count as two", () => {
  expect(problem("aaa", change("aa", "b")).code).toBe("OPS_FIND_AMBIGUOUS");
});

test("a failing edit is named by its position", () => {
  expect(problem("one", change("one", "two"), change("one", "three"))).toMatchObject({
    code: "OPS_FIND_NOT_FOUND",
    field: "edits[1].old_string",
  });
});

test("a file that would grow beyond the limit is refused before it is built", () => {
  const all = { ...change("a", "b".repeat(1_000_000)), replaceAll: true };
  expect(problem("a".repeat(1_000_000), all).code).toBe("LIMIT_FILE");
});

const file = "function add(a, b) {\n\treturn a + b;\n}\n\nconst name = 'Ann';\nconst last = 'x';\n";

test.each([
  ["indentation", file, "function add(a, b) {\n    return a + b;\n}", "line 1", "whitespace differs"],
  ["curly quotes", file, "const name = ‘Ann’;", "line 5", "curly"],
  ["CRLF in a file of mixed line ends", "a\r\nb\nc\r\n", "a\nb", "line 1", "line ends differ"],
  ["line numbers copied along", file, "  5\tconst name = 'Ann';\n  6\tconst last", "line 5", "line numbers"],
  ["escapes written twice", "one\ntwo\n", "one\\ntwo", "line 1", "backslash"],
  ["case", file, "CONST NAME", "line 5", "upper and lower case"],
  ["one line of several", file, "const name = 'Ann';\nconst last = 'y';", "line 5", "1 of 2 lines"],
  ["a misspelt line", file, "const nme = 'Ann';", "line 5", "the text is \"const name = 'Ann';\""],
])("OPS-04: a text that is not found gets its nearest place: %s", (_, text, wanted, line, reason) => {
  const { code, message, hint } = problem(text, change(wanted, "anything"));
  expect(code).toBe("OPS_FIND_NOT_FOUND");
  expect(message).toContain(line);
  expect(message).toContain(reason);
  expect(message + hint).not.toMatch(/\p{Cc}/u);
});

test("the hint for a text that was not found quotes the file's own text, ready to copy", () => {
  const { hint } = problem(file, change("function add(a, b) {\n    return a + b;\n}", "x"));
  expect(hint).toContain(String.raw`"function add(a, b) {\n\treturn a + b;\n}"`);
});

test("an edit that was made before is recognised", () => {
  expect(problem("let b = 3;\n", change("let b = 2;", "let b = 3;")).message).toContain(
    "there already, at line 1",
  );
});

test("if nothing in the file resembles the text to find, the message says so", () => {
  expect(problem("one\n", change("entirely different", "x")).message).toContain("nothing in it is similar");
});

const crlf = "one\r\ntwo\r\nthree";

test.each([
  ["a text of two lines", change("one\ntwo", "1\n2"), "1\r\n2\r\nthree"],
  ["new lines for a single one", change("two", "2a\n2b"), "one\r\n2a\r\n2b\r\nthree"],
  ["a text that begins with a line end", change("\ntwo", ""), "one\r\nthree"],
  ["a text that ends with a line end", change("two\n", ""), "one\r\nthree"],
  ["CRLF, taken literally", change("one\r\ntwo", "1\n2"), "1\n2\r\nthree"],
])("in a file with CRLF, LF means CRLF: %s", (_, replacement, expected) => {
  expect(edited(crlf, replacement)).toBe(expected);
});

test("in a file of mixed line ends everything is literal", () => {
  expect(edited("a\r\nb\nc", change("b\nc", "B\nC"))).toBe("a\r\nB\nC");
  expect(problem("a\r\nb\nc", change("a\nb", "x")).code).toBe("OPS_FIND_NOT_FOUND");
});

const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom("\ufeff", "\r\n", "\n", "\r", "aa", "é", "\u0000").map(encodeUtf8),
    ),
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

test("bytes outside an edit never change, whatever they are", () => {
  const property = fc.property(anyBytes, anyBytes, fc.string(), (before, after, by) => {
    const marker = "«the text»";
    const bytes = Uint8Array.from([...before, ...encodeUtf8(marker), ...after]);
    const result = replace(bytes, [change(marker, by.replaceAll("\n", ""))]);
    if ("problem" in result) return;
    const middle = encodeUtf8(by.replaceAll("\n", ""));
    expect([...result.bytes]).toEqual([...before, ...middle, ...after]);
  });
  fc.assert(property, { numRuns: 500 });
});

test("replacing text gives the same result as a naive implementation", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é"), maxLength: 30 });
  const short = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é"), minLength: 1, maxLength: 3 });
  const property = fc.property(text, short, short, fc.boolean(), (whole, old, by, replaceAll) => {
    const result = replace(encodeUtf8(whole), [{ oldString: old, newString: by, replaceAll }]);
    const starts = [...whole].map((_, at) => at).filter((at) => whole.startsWith(old, at));
    if (starts.length === 0) expect(result).toMatchObject({ problem: { code: "OPS_FIND_NOT_FOUND" } });
    else if (replaceAll || starts.length === 1) expect(text8(result)).toBe(whole.split(old).join(by));
    else expect(result).toMatchObject({ problem: { code: "OPS_FIND_AMBIGUOUS" } });
  });
  fc.assert(property, { numRuns: 1000 });
});

test("a search that fits almost everywhere stays linear", () => {
  const whole = encodeUtf8("a".repeat(4_000_000));
  // Comparing from scratch at each position would take 10¹² steps.
  expect(replace(whole, [change(`${"a".repeat(1_000_000)}b`, "x")])).toMatchObject({
    problem: { code: "OPS_FIND_NOT_FOUND" },
  });
});

function change(oldString: string, newString: string): Replacement {
  return { oldString, newString, replaceAll: false };
}

function edited(text: string, ...replacements: Replacement[]): string {
  return text8(replace(encodeUtf8(text), replacements));
}

function text8(result: ReturnType<typeof replace>): string {
  if ("problem" in result) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  expect(fromBytes(encodeUtf8(decodeUtf8(result.bytes)))).toBe(fromBytes(result.bytes));
  return decodeUtf8(result.bytes);
}

function problem(text: string, ...replacements: Replacement[]): Problem {
  const result = replace(encodeUtf8(text), replacements);
  if (!("problem" in result)) throw new Error("the edit is refused");
  return result.problem;
}
