import { expect, test } from "vitest";
import { scanLines } from "../../plan/read/lines.ts";
import type { DocumentPath } from "../address.ts";
import { markdownLinks, spelledTarget, type WrittenLink } from "./markdown-links.ts";

const from = "/api/auth.md" as DocumentPath;

function linksIn(text: string, where = from) {
  return markdownLinks(text, scanLines(text).lines, where).map(({ at, path, slug }) => ({
    target: text.slice(at.start, at.end),
    to: slug === undefined ? path : `${path}#${slug}`,
  }));
}

test.each([
  ["[x](other.md)", "/api/other.md"],
  ["[x](./other.md#tokens)", "/api/other.md#tokens"],
  ["[x](../specs/keys.md#rs256)", "/specs/keys.md#rs256"],
  ["[x](/specs/keys.md)", "/specs/keys.md"],
  ["[x](/docs/specs/keys.md)", "/specs/keys.md"],
  ["[x](/.coxswain/docs/specs/keys.md)", "/specs/keys.md"],
  ["[x](../../coordinator/active.md#next)", "/coordinator/active.md#next"],
  ["[x](#login)", "/api/auth.md#login"],
  ["[x](auth.md)", "/api/auth.md"],
  ['[x](other.md "a title")', "/api/other.md"],
  ["[x]( other.md )", "/api/other.md"],
  ["[x](<my file.md#a>)", "/api/my file.md#a"],
  ["[x](my%20file.md)", "/api/my file.md"],
  ["[x](a(1).md)", "/api/a(1).md"],
  ["[x](a\\(1\\).md)", "/api/a(1).md"],
  ["[x](other.md#%C3%BCber)", "/api/other.md#über"],
  ["![x](other.md)", "/api/other.md"],
  ["[![i](i.png)](other.md)", "/api/other.md"],
  ["[`code`](other.md)", "/api/other.md"],
  ["[x]: other.md", "/api/other.md"],
  ["[x]: <../specs/keys.md#a> 'title'", "/specs/keys.md#a"],
  ["> quoted [x](other.md)", "/api/other.md"],
  ["- [ ] item [x](other.md)", "/api/other.md"],
  ["## Heading [x](other.md)", "/api/other.md"],
  ["| a | b |\n| --- | --- |\n| [x](other.md) | y |", "/api/other.md"],
])("%s leads to %s", (text, to) => {
  expect(linksIn(text).map((link) => link.to)).toEqual([to]);
});

test.each([
  "`[x](other.md)`",
  "```\n[x](other.md)\n```",
  "text\n\n    [x](other.md)",
  "<!-- [x](other.md) -->",
  "[x](https://example.com/other.md)",
  "[x](mailto:a@b.md)",
  "[x](//host/other.md)",
  "[x](other.txt)",
  "[x](other.md?raw)",
  "[x](../../../README.md)",
  "[x](../../workflows/tdd.md)",
  "[x](../../config.md)",
  "[x](other.md and more)",
  "[x](other.md",
  "[x\\](other.md)",
  "x](other.md)",
  "[x] (other.md)",
  "[^1]: other.md",
  "[x](%E0%A4%A.md)",
  "[x](@/other.md)",
  "[x]()",
  "[x](#)",
  "[x](.md)",
])("%s is no link to a document", (text) => {
  expect(linksIn(text)).toEqual([]);
});

test("Markdown links are found in order, each with its place", () => {
  const text = "[b](b.md) and [a](a.md#x)\n\n| t |\n| - |\n| [c](c.md) |\n\n[d]: d.md\n[e]: e.md\n";
  expect(linksIn(text).map(({ target }) => target)).toEqual(["b.md", "a.md#x", "c.md", "d.md", "e.md"]);
});

test("links in the coordinator's task list are resolved from its own folder", () => {
  expect(linksIn("[x](../docs/specs/keys.md)", "/coordinator/active.md" as DocumentPath)).toEqual([
    { target: "../docs/specs/keys.md", to: "/specs/keys.md" },
  ]);
});

test.each([
  ["relative", "/specs/keys.md", "../specs/keys.md"],
  ["relative", "/api/deep/er.md", "deep/er.md"],
  ["relative", "/api/auth.md", "auth.md"],
  ["relative", "/coordinator/active.md", "../../coordinator/active.md"],
  ["relative", "/api/my (1) 50%|x.md", "my%20%281%29%2050%25%7Cx.md"],
  ["root", "/specs/keys.md", "/specs/keys.md"],
  ["repository", "/specs/keys.md", "/.coxswain/docs/specs/keys.md"],
  ["own", "/specs/keys.md", ""],
] as const)("a link that is %s names %s as %s, and leads there", (written: WrittenLink, to, spelled) => {
  expect(spelledTarget(to as DocumentPath, { written, from })).toBe(spelled);
  if (written !== "own") expect(linksIn(`[x](${spelled})`)).toMatchObject([{ to }]);
});

test("finding links in a text of brackets takes linear time", () => {
  for (const hostile of ["](", "[](", "[x](a.md", "[a]: ", "](<", "[](("]) {
    const text = hostile.repeat(30_000);
    expect(linksIn(text).length).toBeLessThanOrEqual(1);
  }
});
