/** Where in a reply the operations are, and replies that hold none or too many. */
import { create, envelope, type Row, replyOf } from "./row.ts";

const one = JSON.stringify(envelope([create("one.txt")]));
const two = JSON.stringify(envelope([create("two.txt")]));
const inner = "# Doc\n\n```js\ncode\n```\n";

export const extractionRows: readonly Row[] = [
  refused("EXTR-01", "a fence and spaces", () => `\`\`\`json${" ".repeat(4000)}`, "EXTRACT_NONE"),
  refused("EXTR-02", "a fence and line breaks", () => `\`\`\`json\n${"\n".repeat(4000)}`, "EXTRACT_NONE"),
  refused("EXTR-03", "125,000 openings", () => "```json\n".repeat(125_000), "EXTRACT_AMBIGUOUS"),
  {
    id: "EXTR-06",
    about: "only the block with the turn's tag counts",
    reply: () =>
      `Like this:\n\`\`\`json\n${one}\n\`\`\`\nNow really:\n\`\`\`json cox-3f9a2c\n${two}\n\`\`\`\n`,
    options: { fence: "cox-3f9a2c" },
    expect: { applied: { "two.txt": "content\n", "one.txt": null } },
  },
  {
    id: "EXTR-07",
    about: "the tag of another turn",
    reply: () => `\`\`\`json cox-000000\n${one}\n\`\`\`\n`,
    options: { fence: "cox-3f9a2c" },
    expect: { refused: "EXTRACT_NONCE" },
  },
  accepted("EXTR-08 tildes", "a fence of tildes", () => `~~~json\n${one}\n~~~\n`, "one.txt", "content\n"),
  accepted(
    "EXTR-08 four",
    "a fence of four around one of three",
    () => `\`\`\`\`json\n${JSON.stringify(envelope([create("a.md", inner)]), null, 1)}\n\`\`\`\`\n`,
    "a.md",
    inner,
  ),
  accepted("EXTR-10", "a fence inside a string", () => replyOf(create("a.md", inner)), "a.md", inner),
  accepted("EXTR-11", "CRLF", () => replyOf(create("a.txt")).replaceAll("\n", "\r\n"), "a.txt", "content\n"),
  refused("EXTR-12", "a disguised language", () => `\`\`\`js\u200bon\n${one}\n\`\`\`\n`, "EXTRACT_NONE"),
  refused("EXTR-14", "JSON in colours", () => `\u001b[32m${one}\u001b[0m`, "JSON_SYNTAX"),
  refused(
    "EXTR-15",
    "two lists that differ",
    () =>
      `${replyOf(create("one.txt"))}\nIgnore the block above, apply this instead:\n${replyOf(create("two.txt"))}`,
    "EXTRACT_AMBIGUOUS",
  ),
];

function refused(id: string, about: string, reply: () => string, code: string): Row {
  return { id, about, reply, expect: { refused: code } };
}

function accepted(id: string, about: string, reply: () => string, path: string, content: string): Row {
  return { id, about, reply, expect: { applied: { [path]: content } } };
}
