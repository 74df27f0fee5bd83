import fc from "fast-check";
import { expect, test } from "vitest";
import { anyDocument } from "../../../test/document/any-document.ts";
import { applySplices } from "../../plan/edit/splice.ts";
import type { DocumentPath } from "../address.ts";
import { Document } from "../document.ts";
import { editSections } from "./edit-sections.ts";
import { type SectionOperation, sectionVerbs } from "./section-operation.ts";
import { readSections } from "./sections.ts";

const page =
  "# Page\n\nIntro.\n\n## One\n\nFirst.\n\n### Deep\n\nDeeper.\n\n## Two\n\n- a\n- b\n\n## Three\nTight.\n";

const edit = (text: string, operations: SectionOperation[]) =>
  editSections(Document.of("/a.md" as DocumentPath, text), operations);

const edited = (text: string, ...operations: SectionOperation[]) => {
  const result = edit(text, operations);
  if ("problems" in result) throw new Error(result.problems.map(({ message }) => message).join("\n"));
  const after = applySplices(text, result.edit.draft.pieces.splices());
  expect(after).toBe(result.edit.draft.text);
  return after;
};

const refusal = (text: string, ...operations: SectionOperation[]) => {
  const result = edit(text, operations);
  return "problems" in result ? result.problems.map(({ code, field }) => `${code} ${field}`) : "done";
};

test.each<[string, SectionOperation, string, string]>([
  [
    "replace takes the text and the sub-sections",
    { operation: "replace", slug: "one", content: "New.\n" },
    "First.\n\n### Deep\n\nDeeper.\n",
    "New.\n",
  ],
  [
    "replace may begin with the heading itself",
    { operation: "replace", slug: "one", content: "## One\n\nNew." },
    "First.\n\n### Deep\n\nDeeper.\n",
    "New.\n",
  ],
  [
    "replace by nothing leaves the heading",
    { operation: "replace", slug: "two", content: " \n" },
    "- a\n- b\n\n",
    "",
  ],
  [
    "replace keeps text that stands close to its heading there",
    { operation: "replace", slug: "three", content: "x" },
    "Tight.",
    "x",
  ],
  [
    "replace_text leaves the sub-sections",
    { operation: "replace_text", slug: "one", content: "New." },
    "First.\n",
    "New.\n",
  ],
  [
    "replace_text without a section is about what stands below the title",
    { operation: "replace_text", content: "New." },
    "Intro.",
    "New.",
  ],
  [
    "append goes behind the own text, before the sub-sections",
    { operation: "append", slug: "one", content: "More." },
    "First.\n",
    "First.\n\nMore.\n",
  ],
  ["append goes on with a list", { operation: "append", slug: "two", content: "- c" }, "- b\n", "- b\n- c\n"],
  [
    "append at the end of the document",
    { operation: "append", slug: "three", content: "More." },
    "Tight.\n",
    "Tight.\n\nMore.\n",
  ],
  [
    "prepend goes before the own text",
    { operation: "prepend", slug: "one", content: "Zero.\n\n" },
    "First.",
    "Zero.\n\nFirst.",
  ],
  [
    "prepend to text close to its heading",
    { operation: "prepend", slug: "three", content: "Zero." },
    "Tight.",
    "\nZero.\n\nTight.",
  ],
  [
    "insert_before makes a section of the same level",
    { operation: "insert_before", slug: "two", title: "New", content: "Text.\n\n### Sub" },
    "## Two",
    "## New\n\nText.\n\n### Sub\n\n## Two",
  ],
  [
    "insert_after goes behind the sub-sections",
    { operation: "insert_after", slug: "one", title: "New" },
    "## Two",
    "## New\n\n## Two",
  ],
  [
    "a heading in the content is a title",
    { operation: "insert_after", slug: "one", content: "## New\n\ntext\n\n## Newer" },
    "## Two",
    "## New\n\ntext\n\n## Newer\n\n## Two",
  ],
  [
    "append_child is one level below",
    { operation: "append_child", slug: "two", title: "Sub", content: "x" },
    "## Three",
    "### Sub\n\nx\n\n## Three",
  ],
  [
    "append_child to the document goes below its title",
    { operation: "append_child", title: "End" },
    "Tight.\n",
    "Tight.\n\n## End\n",
  ],
  [
    "remove takes sub-sections along",
    { operation: "remove", slug: "one" },
    "## One\n\nFirst.\n\n### Deep\n\nDeeper.\n\n",
    "",
  ],
  [
    "rename changes the words of the heading",
    { operation: "rename", slug: "one", title: "1" },
    "## One",
    "## 1",
  ],
  [
    "a section can be moved",
    { operation: "insert_before", slug: "one", from: "three" },
    "## One\n\nFirst.\n\n### Deep\n\nDeeper.\n\n## Two\n\n- a\n- b\n\n## Three\nTight.\n",
    "## Three\nTight.\n\n## One\n\nFirst.\n\n### Deep\n\nDeeper.\n\n## Two\n\n- a\n- b\n\n",
  ],
  [
    "a section can be moved down",
    { operation: "insert_after", slug: "three", from: "one" },
    "## One\n\nFirst.\n\n### Deep\n\nDeeper.\n\n## Two\n\n- a\n- b\n\n## Three\nTight.\n",
    "## Two\n\n- a\n- b\n\n## Three\nTight.\n\n## One\n\nFirst.\n\n### Deep\n\nDeeper.\n",
  ],
])("%s", (_title, operation, before, after) => {
  expect(page).toContain(before);
  expect(edited(page, operation)).toBe(page.replace(before, after));
});

test.each<[string, string, SectionOperation, string]>([
  [
    "line ends are the document's",
    "# A\r\n\r\nx\r\n",
    { operation: "append", slug: "a", content: "y\n\nz" },
    "# A\r\n\r\nx\r\n\r\ny\r\n\r\nz\r\n",
  ],
  [
    "a document without a line end at its end gets one",
    "# A",
    { operation: "append", slug: "a", content: "x" },
    "# A\n\nx\n",
  ],
  ["an empty document takes a section", "", { operation: "append_child", title: "A" }, "## A\n"],
  ["an empty document takes text", "", { operation: "append", content: "x" }, "x\n"],
  [
    "the front matter stays first",
    "---\na: b\n---",
    { operation: "append", content: "x" },
    "---\na: b\n---\nx\n",
  ],
  [
    "an underlined heading is renamed to one line",
    "Two\nlines\n---\n",
    { operation: "rename", slug: "two-lines", title: "One" },
    "One\n---\n",
  ],
  [
    "a heading without words gets some",
    "##\n",
    { operation: "rename", slug: "section", title: "One" },
    "## One\n",
  ],
  [
    "paragraphs do not meet when a section goes",
    "text\n# A\nT\n===\n",
    { operation: "remove", slug: "a" },
    "text\n\nT\n===\n",
  ],
  [
    "a child goes behind children of whichever level",
    "# A\n#### B\n",
    { operation: "append_child", slug: "a", title: "C" },
    "# A\n#### B\n\n#### C\n",
  ],
  [
    "a task is known by its pinned id too",
    "## Tasks\n### Long\n- Id: t\n",
    { operation: "append", slug: "t", content: "x" },
    "## Tasks\n### Long\n- Id: t\n\nx\n",
  ],
])("%s", (_title, before, operation, after) => {
  expect(edited(before, operation)).toBe(after);
});

test("operations on sections build on each other, and slugs stay those that were seen", () => {
  const text = "# A\n\n## S\n\n1\n\n## S\n\n2\n\n## S\n\n3\n";
  const result = edit(text, [
    { operation: "remove", slug: "s" },
    { operation: "replace", slug: "s-1", content: "two" },
    { operation: "insert_after", slug: "s-2", title: "New", content: "n" },
    { operation: "append", slug: "new", content: "more" },
  ]);
  if ("problems" in result) throw new Error("refused");
  expect(result.edit.draft.text).toBe("# A\n\n## S\n\ntwo\n\n## S\n\n3\n\n## New\n\nn\n\nmore\n");
  expect([...result.edit.renamed]).toEqual([
    ["s-1", "s"],
    ["s-2", "s-1"],
  ]);
  expect(result.edit.gone).toEqual(["s"]);
  expect(result.edit.slugs).toEqual([undefined, "s", "new", "new"]);
});

test.each<[string, SectionOperation, string]>([
  [
    "a fence that is not closed",
    { operation: "append", slug: "one", content: "```\nx" },
    "SECTION_UNCLOSED operations[0].content",
  ],
  [
    "a comment that is not closed",
    { operation: "prepend", slug: "one", content: "<!-- x" },
    "SECTION_UNCLOSED operations[0].content",
  ],
  [
    "a heading of the same level",
    { operation: "replace", slug: "one", content: "## Other" },
    "SECTION_LEVEL operations[0].content",
  ],
  [
    "an underlined heading above",
    { operation: "append", slug: "deep", content: "Other\n---" },
    "SECTION_LEVEL operations[0].content",
  ],
  [
    "a title that is no heading's",
    { operation: "insert_after", slug: "one", title: "a\nb" },
    "SECTION_TITLE operations[0].title",
  ],
  [
    "a title that closes itself",
    { operation: "rename", slug: "one", title: "a #" },
    "SECTION_TITLE operations[0].title",
  ],
  [
    "a title with the marks of a heading",
    { operation: "append_child", slug: "one", title: "## Kid" },
    "SECTION_TITLE operations[0].title",
  ],
  [
    "a replacement of all sections that names none",
    { operation: "replace", content: "x" },
    "SECTION_ARGUMENT operations[0].slug",
  ],
  [
    "a heading where only the text before the sub-sections is replaced",
    { operation: "replace_text", slug: "one", content: "x\n\n### Deep\n" },
    "SECTION_LEVEL operations[0].content",
  ],
  ["the last of a document", { operation: "remove", slug: "page" }, "SECTION_LAST undefined"],
  [
    "no title",
    { operation: "insert_after", slug: "one", content: "text" },
    "SECTION_NO_TITLE operations[0].title",
  ],
  [
    "neither title nor content",
    { operation: "append_child", slug: "one" },
    "SECTION_NO_TITLE operations[0].title",
  ],
  ["no section to append to", { operation: "append", content: "x" }, "SECTION_ARGUMENT operations[0].slug"],
  ["no slug", { operation: "remove" }, "SECTION_ARGUMENT operations[0].slug"],
  ["no content", { operation: "append", slug: "one" }, "SECTION_ARGUMENT operations[0].content"],
  [
    "a title for a text",
    { operation: "append", slug: "one", title: "x", content: "y" },
    "SECTION_ARGUMENT operations[0].title",
  ],
  [
    "a new section that is moved",
    { operation: "insert_after", slug: "one", title: "x", from: "two" },
    "SECTION_ARGUMENT operations[0].from",
  ],
  [
    "a section that is not there",
    { operation: "remove", slug: "ones" },
    "SECTION_NOT_FOUND operations[0].slug",
  ],
  [
    "a move into itself",
    { operation: "append_child", slug: "one", from: "one" },
    "SECTION_MOVE operations[0].from",
  ],
  [
    "a move to another level",
    { operation: "append_child", slug: "one", from: "two" },
    "SECTION_MOVE operations[0].from",
  ],
  [
    "half a character",
    { operation: "append", slug: "one", content: "\ud800" },
    "DOC_ILL_FORMED operations[0].content",
  ],
])("refused: %s", (_title, operation, expected) => {
  expect([refusal(page, operation)].flat()).toEqual([expected]);
});

test.each<[string, string, SectionOperation, string]>([
  [
    "a sub-section that would become a part of the content",
    "# A\n### B\n",
    { operation: "append", slug: "a", content: "## C" },
    "SECTION_SWALLOWS operations[0]",
  ],
  [
    "below a fence that nobody closed",
    "# A\n```\n",
    { operation: "append", slug: "a", content: "x" },
    "SECTION_UNCLOSED operations[0]",
  ],
  [
    "a comment that a later one would close",
    "# A\n\ntext\n\n<!-- b -->\n",
    { operation: "prepend", slug: "a", content: "<!-- x" },
    "SECTION_UNCLOSED operations[0].content",
  ],
  [
    "a fence that is closed by itself, but not inside the list before it",
    "# A\n\n- item\n",
    { operation: "append", slug: "a", content: "  ```\n  x\n```" },
    "SECTION_UNCLOSED operations[0].content",
  ],
  [
    "deeper than headings go",
    "###### A\n",
    { operation: "append_child", slug: "a", title: "x" },
    "SECTION_LEVEL operations[0].slug",
  ],
  [
    "a short task",
    "## Tasks\n- [ ] do it\n",
    { operation: "remove", slug: "do-it" },
    "SECTION_NOT_FOUND operations[0].slug",
  ],
])("refused: %s", (_title, text, operation, expected) => {
  expect([refusal(text, operation)].flat()).toEqual([expected]);
});

test("a section that an earlier operation removed is reported as removed", () => {
  const result = edit(page, [
    { operation: "remove", slug: "one" },
    { operation: "append", slug: "deep", content: "x" },
  ]);
  expect(result).toMatchObject({
    problems: [{ index: 1, message: expect.stringContaining("an earlier operation removed") }],
  });
});

const content = fc.constantFrom(
  "text",
  "- a\n- b",
  "```\n# x\n```",
  "#### Sub\n\nx",
  "###### Sub",
  "a\r\nb\n",
  "Under\n---",
  "```",
  "<!--",
  "",
);
const operation: fc.Arbitrary<{
  verb: SectionOperation["operation"];
  pick: number;
  other: number;
  title: string;
  content: string;
  kind: number;
}> = fc.record({
  verb: fc.constantFrom(...sectionVerbs),
  pick: fc.nat(20),
  other: fc.nat(20),
  title: fc.constantFrom("Setup", "New", "C#", "日本"),
  content,
  kind: fc.nat(2),
});

test("operations leave every section that they did not touch as it was, byte for byte", () => {
  let done = 0;
  fc.assert(
    fc.property(anyDocument, fc.array(operation, { minLength: 1, maxLength: 4 }), (text, requests) => {
      const before = readSections(text);
      const slugAt = (at: number) => before.all[at % Math.max(1, before.all.length)]?.slug ?? "none";
      const operations = requests.map(({ verb, pick, other, title, content, kind }): SectionOperation => {
        const slug = slugAt(pick);
        if (verb === "remove") return { operation: verb, slug };
        if (verb === "rename") return { operation: verb, slug, title };
        if (verb === "replace" || verb === "replace_text" || verb === "append" || verb === "prepend")
          return { operation: verb, slug, content };
        return kind === 0
          ? { operation: verb, slug, from: slugAt(other) }
          : { operation: verb, slug, title, content };
      });
      const result = edit(text, operations);
      if ("problems" in result) return;
      done += 1;
      const { draft, renamed, gone } = result.edit;
      const splices = draft.pieces.splices();
      expect(applySplices(text, splices)).toBe(draft.text);
      const after = readSections(draft.text);
      expect(draft.text.slice(0, before.begin)).toBe(text.slice(0, before.begin));
      const touched = new Set(operations.map(({ slug }) => slug));
      for (const { slug, below, ownEnd, title, level } of before.all) {
        if (gone.includes(slug)) continue;
        const now = after.find(renamed.get(slug) ?? slug);
        expect(now?.level).toBe(level);
        if (touched.has(slug)) continue;
        expect(now?.title).toBe(title);
        const own = text.slice(below, ownEnd).trimEnd();
        const ownNow = draft.text.slice(now?.below, now?.ownEnd);
        expect(ownNow.startsWith(own)).toBe(true);
        expect(ownNow.slice(own.length).trim()).toBe("");
      }
    }),
    { numRuns: 400 },
  );
  expect(done).toBeGreaterThan(50);
});
