import fc from "fast-check";
import { expect, test } from "vitest";
import { anyGlob, glob } from "./glob.ts";

test.each([
  ["src/a.ts", "src/a.ts", true],
  ["src/a.ts", "src/b.ts", false],
  ["src/*", "src/a.ts", true],
  ["src/*", "src/a/b.ts", false],
  ["src/**", "src/a/b.ts", true],
  ["src/**", "srcx/a.ts", false],
  ["src/**", "src", false],
  ["src/", "src", false],
  ["**", "a/b", true],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "x/y/a.ts", true],
  ["src/**/test/*.ts", "src/a/b/test/c.ts", true],
  ["src/**/test/*.ts", "src/test/c.ts", true],
  ["src/**/test/*.ts", "src/a/b/c.ts", false],
  ["src/", "src/a/b", true],
  ["./src/a", "src/a", true],
  ["*", ".hidden", true],
  ["a?[b]{c,d}", "a?[b]{c,d}", true],
  ["a?", "ab", false],
  ["", "a", false],
])("%j on %j: %j", (pattern, path, expected) => {
  expect(glob(pattern)(path)).toBe(expected);
});

test("an empty list of globs matches no path", () => {
  expect(anyGlob([])("a")).toBe(false);
});

test("a glob matches exactly what the equivalent regular expression matches", () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "b", "."), minLength: 1, maxLength: 3 })
    .map((each) => `${each}x`);
  const part = fc.oneof(name, fc.constantFrom("**", "*", "a*", "*x", "a*b*x"));
  const property = fc.property(
    fc.array(part, { minLength: 1, maxLength: 5 }),
    fc.array(name, { minLength: 1, maxLength: 5 }),
    (parts, names) => {
      const [pattern, path] = [parts.join("/"), names.join("/")];
      const expected = [pattern, path, asRegExp(pattern).test(path)];
      expect([pattern, path, glob(pattern)(path)]).toEqual(expected);
      expect([pattern, path, anyGlob(["no", pattern])(path)]).toEqual(expected);
    },
  );
  fc.assert(property, { numRuns: 3000 });
});

test("a glob full of stars is not slow", () => {
  // Trying each star at each place would take 30³⁰ steps.
  expect(glob(`${"*a".repeat(30)}b`)("a".repeat(255))).toBe(false);
  expect(glob(`${"**/a/".repeat(12)}b`)("a/".repeat(60))).toBe(false);
});

function asRegExp(pattern: string): RegExp {
  const source = pattern
    .replaceAll(".", "\\.")
    .replace(
      /\*\*\/|\*\*$|\*/g,
      (wild) => ({ "**/": "(?:[^/]+/)*", "**": ".+", "*": "[^/]*" })[wild] ?? wild,
    );
  return new RegExp(`^${source}$`);
}
