import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { anyDocument } from "../../../test/document/any-document.ts";
import { readSections } from "./sections.ts";

const outlineOf = (text: string) =>
  readSections(text).all.map(({ level, slug, title, parent }) => [level, slug, title, parent ?? null]);

test.each<[string, string, (string | number | null)[][]]>([
  [
    "headings nest by level",
    "# A\n## B\n### C\n## D\n",
    [
      [1, "a", "A", null],
      [2, "b", "B", "a"],
      [3, "c", "C", "b"],
      [2, "d", "D", "a"],
    ],
  ],
  [
    "a level may be left out",
    "# A\n#### B\n## C\n",
    [
      [1, "a", "A", null],
      [4, "b", "B", "a"],
      [2, "c", "C", "a"],
    ],
  ],
  [
    "underlined headings are headings",
    "A\nb\n===\n\nC\n---\n",
    [
      [1, "a-b", "A b", null],
      [2, "c", "C", "a-b"],
    ],
  ],
  ["the front matter holds none", "---\n# no\n---\n# A\n", [[1, "a", "A", null]]],
  [
    "code, comments, tables, quotes and items hold none",
    "```\n# a\n```\n<!--\n# b\n-->\n|# c|\n> # d\n\n- # e\n\n  # f\n\n    # g\n",
    [],
  ],
  [
    "CRLF is no part of a title",
    "# A\r\nB\r\n---\r\n",
    [
      [1, "a", "A", null],
      [2, "b", "B", "a"],
    ],
  ],
  [
    "a title that is there again gets a number",
    "# A\n# A\n# A-1\n# A\n",
    [
      [1, "a", "A", null],
      [1, "a-1", "A", null],
      [1, "a-1-1", "A-1", null],
      [1, "a-2", "A", null],
    ],
  ],
  [
    "a title without letters is a section",
    "#\n## 🚀 ##\n# constructor\n",
    [
      [1, "section", "", null],
      [2, "section-1", "🚀", "section"],
      [1, "constructor", "constructor", null],
    ],
  ],
  [
    "headings inside a task are below it",
    "## Tasks\n### One\n- Status: pending\n#### Why\n### Two\n",
    [
      [2, "tasks", "Tasks", null],
      [3, "one", "One", "tasks"],
      [4, "why", "Why", "one"],
      [3, "two", "Two", "tasks"],
    ],
  ],
  ["a fence that is never closed hides the rest", "# A\n```\n# B\n", [[1, "a", "A", null]]],
])("%s", (_title, text, expected) => {
  expect(outlineOf(text)).toEqual(expected);
});

test("a section is also found by the slug that GitHub uses in links", () => {
  const { find } = readSections("# 🚀 Launch\n");
  expect(find("-launch")?.slug).toBe("launch");
  expect(find("toString")).toBeUndefined();
});

test("a code fence that is never closed is reported", () => {
  expect(readSections("# A\n\n```\n").unclosed).toEqual({ start: 5, end: 8 });
  expect(readSections("# A\n\n```\n```\n").unclosed).toBeUndefined();
});

test("the text before the first heading plus each section's own text make up the whole document", () => {
  fc.assert(
    fc.property(anyDocument, (text) => {
      const { all, begin } = readSections(text);
      const first = all[0]?.whole.start ?? text.length;
      expect(begin).toBeLessThanOrEqual(first);
      expect(
        text.slice(0, first) + all.map(({ whole, ownEnd }) => text.slice(whole.start, ownEnd)).join(""),
      ).toBe(text);
      expect(new Set(all.map(({ slug }) => slug)).size).toBe(all.length);
    }),
  );
});

test("a section is its heading, its own text and its sub-sections, and nothing of another", () => {
  fc.assert(
    fc.property(anyDocument, (text) => {
      const { all, find, at } = readSections(text);
      all.forEach((section, index) => {
        const { whole, titleAt, below, ownEnd, parent, level } = section;
        expect([whole.start, titleAt.start, titleAt.end, below, ownEnd, whole.end]).toEqual(
          [whole.start, titleAt.start, titleAt.end, below, ownEnd, whole.end].sort(
            (one, other) => one - other,
          ),
        );
        const inside = all.filter((one) => one.whole.start > whole.start && one.whole.start < whole.end);
        expect(inside.every((one) => one.level > level && one.whole.end <= whole.end)).toBe(true);
        expect(all[index + 1 + inside.length]?.whole.start ?? text.length).toBe(whole.end);
        const around = parent === undefined ? undefined : find(parent);
        if (around) expect(around.whole.end).toBeGreaterThanOrEqual(whole.end);
        expect(at(whole.start)).toBe(section);
        expect(at(ownEnd - 1)).toBe(section);
      });
    }),
  );
});

test.each([
  ["the same title", () => "# A\n"],
  ["titles that look numbered", (at: number) => (at % 2 ? "# A\n" : `# A-${at}\n`)],
  ["ever deeper headings", (at: number) => `${"#".repeat((at % 6) + 1)} H${at}\n`],
])("twice the headings take twice the steps: %s", (_title, line) => {
  const stepsFor = (count: number) => {
    const looks = vi.spyOn(Map.prototype, "has");
    readSections(Array.from({ length: count }, (_, at) => line(at)).join(""));
    const steps = looks.mock.calls.length;
    looks.mockRestore();
    return steps;
  };
  expect(stepsFor(4000)).toBeLessThanOrEqual(2.1 * stepsFor(2000) + 10);
});
