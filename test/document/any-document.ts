/** Documents at random, made of what makes reading them hard: fences, comments, tables, setext headings, CRLF, tasks. */
import fc from "fast-check";

const title = fc.constantFrom(
  "Setup",
  "Setup",
  "setup-1",
  "Überblick",
  "日本語",
  "C#",
  "🚀",
  "a `code` b",
  "constructor",
);

const block = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("text", "more\nlines of text", "- a\n- b", "> quoted\n> # no heading"),
  },
  fc.constantFrom(
    "```\n# no heading\n```",
    "~~~md\n## no heading\n```\n~~~",
    "    # indented code",
    "<!-- # no\n# heading\n-->",
    "| a | b |\n| - | - |\n| # | 1 |",
    "- item\n\n  # heading of an item\n\n  ```\n  # x\n  ```",
    "<pre>\n# no heading\n</pre>",
    "***",
    "see @/a.md#setup and `@/b.md`",
  ),
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 6 }), title)
      .map(([level, words]) => `${"#".repeat(level)} ${words}`),
  },
  fc.tuple(title, fc.constantFrom("===", "---")).map(([words, under]) => `${words}\n${under}`),
  fc.constantFrom("##", "# #", "## Closed ##", "Two lines\nof a title\n---"),
  fc.constantFrom(
    "## Tasks\n\n### One\n\n- Status: pending\n\n#### Inside one\n\ntext\n\n### Two\n- Depends-On: #one",
    "## Tasks\n\n- [ ] short\n  - Agent: a\n- [x] done",
  ),
);

const frontMatter = fc.constantFrom("", "", "---\ntitle: T\n---\n", "---\n# a comment\n---\n\n", "\ufeff");

/** With LF or CRLF throughout, with or without a line end at its end. */
export const anyDocument: fc.Arbitrary<string> = fc
  .tuple(
    frontMatter,
    fc.array(fc.tuple(block, fc.constantFrom("\n\n", "\n\n", "\n", "\n\n\n")), { maxLength: 14 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([front, blocks, lineEnd, isEnded]) => {
    const text = front + blocks.map(([words, gap]) => words + gap).join("");
    return (isEnded ? text : text.trimEnd()).replaceAll("\n", lineEnd);
  });
