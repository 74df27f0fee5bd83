import { expect, test } from "vitest";
import { SmallStore } from "../../../test/document/small-store.ts";
import type { DocumentPath } from "../address.ts";
import { loadReferences, type ReferenceLimits } from "./load-references.ts";

const load = (texts: Record<string, string>, text: string, limits?: ReferenceLimits) => {
  const { loaded, missing, cycles, leftOut } = loadReferences(new SmallStore(texts), text, limits);
  return {
    loaded: loaded.map(({ document }) => document),
    missing: missing.map(({ reference, nearest }) => [reference, ...nearest]),
    cycles,
    leftOut,
  };
};

const none = { loaded: [], missing: [], cycles: [], leftOut: [] };

test("references load documents and sections, nearer ones first", () => {
  const texts = {
    "/a.md": "---\ntitle: x\n---\n# A\n\n@/c.md\n",
    "/b.md": "# B\n\n## One\n\n1\n\n## Two\n\n2\n",
    "/c.md": "# C\n",
  };
  const { loaded } = loadReferences(new SmallStore(texts), "See @/a.md, then @/docs/b.md#two.");
  expect(loaded).toEqual([
    { document: "/a.md", title: "A", text: "# A\n\n@/c.md", depth: 1, isCut: false },
    { document: "/b.md#two", title: "Two", text: "## Two\n\n2", depth: 1, isCut: false },
    { document: "/c.md", title: "C", text: "# C", depth: 2, isCut: false },
  ]);
});

test("a reference to a second section of the same document is no cycle", () => {
  const texts = { "/a.md": "# A\n\n## One\n\n@/a.md#two\n\n## Two\n\n2\n" };
  expect(load(texts, "@/a.md#one")).toEqual({ ...none, loaded: ["/a.md#one", "/a.md#two"] });
  expect(load(texts, "@/a.md#one and @/a.md#two")).toEqual({ ...none, loaded: ["/a.md#one", "/a.md#two"] });
});

test("a document may refer to its own sections", () => {
  expect(load({ "/a.md": "# A\n\n@/a.md#one\n\n## One\n" }, "@/a.md")).toEqual({
    ...none,
    loaded: ["/a.md"],
  });
});

test("a cycle of references is cut and named", () => {
  const texts = { "/a.md": "# A\n@/b.md\n", "/b.md": "# B\n## X\n@/a.md#a\n" };
  expect(load(texts, "@/a.md")).toEqual({
    ...none,
    loaded: ["/a.md", "/b.md"],
    cycles: ["/a.md → /b.md → /a.md#a"],
  });
  expect(load({ "/a.md": "@/a.md\n" }, "@/a.md").cycles).toEqual(["/a.md → /a.md"]);
});

test("a cycle of references through the task's own text is cut too", () => {
  const texts = {
    "/a.md": "# A\n\n## Tasks\n\n### T\n\n@/b.md\n\n## Notes\n",
    "/b.md": "@/a.md#t and @/a.md#notes\n",
  };
  const from = { path: "/a.md" as DocumentPath, slug: "t" };
  expect(load(texts, "@/b.md", { from })).toEqual({
    ...none,
    loaded: ["/b.md", "/a.md#notes"],
    cycles: ["/a.md#t → /b.md → /a.md#t"],
  });
});

test("a section with several references to it is loaded once", () => {
  const texts = { "/a.md": "# A\n\n## One\n\n1\n\n## Two\n\n2\n", "/b.md": "@/a.md#one\n" };
  const { loaded } = loadReferences(new SmallStore(texts), "@/a.md#one @/b.md @/a.md @/a.md#two");
  expect(loaded.map(({ document, text }) => [document, text])).toEqual([
    ["/a.md#one", "## One\n\n1"],
    ["/b.md", "@/a.md#one"],
    ["/a.md", "# A\n\n(/a.md#one is given above)\n\n## Two\n\n2"],
  ]);
});

test("a missing reference is named with what was probably meant", () => {
  const texts = { "/api/auth.md": "# Auth\n\n## Tokens\n" };
  expect(
    load(texts, "@/auth.md @/api/auht.md @/api/auth.md#token @/nothing.md @/api/auth @/auth.md").missing,
  ).toEqual([
    ["@/auth.md", "/api/auth.md"],
    ["@/api/auht.md", "/api/auth.md"],
    ["@/api/auth.md#token", "/api/auth.md#tokens"],
    ["@/nothing.md"],
    ["@/api/auth"],
  ]);
});

test("code, comments and email addresses contain no references", () => {
  expect(load({}, "`@/a.md` me@/x.md\n\n```\n@/b.md\n```\n\n<!-- @/c.md -->\n")).toEqual(none);
});

test("the text of a short task is not taken for code, however deep it is indented", () => {
  expect(load({ "/a.md": "x" }, "      see\n      @/a.md\n").loaded).toEqual(["/a.md"]);
});

test("a reference that is nested too deep or does not fit is named", () => {
  const texts = {
    "/a.md": "@/b.md\n",
    "/b.md": "@/c.md\n",
    "/c.md": "@/d.md\n",
    "/d.md": "d\n",
    "/large.md": "line of text\n".repeat(1000),
    "/other.md": "other\n".repeat(200),
  };
  expect(load(texts, "@/a.md")).toEqual({ ...none, loaded: ["/a.md", "/b.md", "/c.md"], leftOut: ["/d.md"] });
  expect(load(texts, "@/a.md", { depth: 1 })).toEqual({ ...none, loaded: ["/a.md"], leftOut: ["/b.md"] });
  const { loaded, leftOut } = loadReferences(new SmallStore(texts), "@/large.md @/other.md", { bytes: 1000 });
  expect(loaded).toMatchObject([{ document: "/large.md", isCut: true }]);
  expect(loaded[0]?.text).toBe("line of text\n".repeat(76).trimEnd());
  expect(leftOut).toEqual(["/other.md"]);
});

test("a task's slug names the task, a short one too", () => {
  const texts = { "/a.md": "## Tasks\n\n- [ ] One thing\n  with @/b.md\n- [ ] Two\n", "/b.md": "b" };
  const { loaded } = loadReferences(new SmallStore(texts), "@/a.md#one-thing-with-b-md @/a.md#two");
  expect(loaded.map(({ document }) => document)).toContain("/a.md#two");
});

test("one large document does not take the space of small ones, and says where to read on", () => {
  const large = `# Large\n\n${"a line of text\n".repeat(400)}\n## Part\n\n${"a line of text\n".repeat(4000)}`;
  const store = new SmallStore({
    "/large.md": large,
    "/small.md": "# Small\n\nAll of it. @/deep.md\n",
    "/deep.md": "# Deep\n",
  });
  const { loaded, leftOut } = loadReferences(store, "@/large.md @/small.md");
  expect(leftOut).toEqual([]);
  expect(loaded.map(({ document, isCut }) => [document, isCut])).toEqual([
    ["/large.md", true],
    ["/small.md", false],
    ["/deep.md", false],
  ]);
  const { text = "", next } = loaded[0] ?? {};
  expect(text.length).toBeGreaterThan(39_000);
  expect(large.slice(0, next)).toBe(text);
});

test("a document that is too long is cut at the end of a section, if little is lost by that", () => {
  const part = (name: string) => `## ${name}\n\n${"a line of text\n".repeat(60)}\n`;
  const store = new SmallStore({
    "/a.md": `# A\n\n${["One", "Two", "Three", "Four", "Five"].map(part).join("")}`,
  });
  const { loaded } = loadReferences(store, "@/a.md", { bytes: 3_900 });
  expect(loaded[0]?.text.endsWith("a line of text")).toBe(true);
  expect(loaded[0]?.text).not.toContain("## Five");
  expect(loaded[0]?.text).toContain("## Four");
});

test("a section with its own reference is named if its document was cut before it", () => {
  const lines = "a line of text\n".repeat(100);
  const store = new SmallStore({
    "/a.md": `# A\n\n## One\n\n${lines}\n## Two\n\n${lines}\n## Three\n\n${lines}`,
  });
  const { loaded, leftOut } = loadReferences(store, "@/a.md @/a.md#one @/a.md#three", { bytes: 3_000 });
  expect(loaded.map(({ document }) => document)).toEqual(["/a.md"]);
  expect(leftOut).toEqual(["/a.md#three"]);
});
