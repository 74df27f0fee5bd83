import { expect, test } from "vitest";
import { z } from "zod";
import { call } from "../../test/document/call.ts";
import { SmallStore } from "../../test/document/small-store.ts";
import type { Tool } from "./tool.ts";
import { browseDocuments } from "./tools/documents/browse-documents.ts";
import { createDocumentTool } from "./tools/documents/create-document.ts";
import { deleteDocumentTool } from "./tools/documents/delete-document.ts";
import { renameDocumentTool } from "./tools/documents/rename-document.ts";
import { searchDocumentsTool } from "./tools/documents/search-documents.ts";
import { section } from "./tools/documents/section.ts";
import { viewDocument } from "./tools/documents/view-document.ts";

const auth =
  "# Auth\n\nWhy. @/specs/jwt.md#signing\n\n## Tasks\n\n### Sign\n\n- Status: in_progress\n\nDo it.\n\n### Check\n- Depends-On: #sign\n\n## Notes\n\nSee @/api/auth.md#sign and `@/specs/jwt.md`.\n";
const jwt =
  "---\ntitle: JWT\nsee: '@/api/auth.md'\n---\n# JWT\n\n## Signing\n\nRS256.\n\n## Short\n\n- [ ] a\n";
const world = () =>
  new SmallStore({
    "/api/auth.md": auth,
    "/specs/jwt.md": jwt,
    "/coordinator/active.md":
      "# Coordinator Tasks\n\n## Tasks\n\n### One\n- Main-Workflow: w\n\n@/specs/jwt.md\n\n### Two\n",
    "/archived/docs/old-2026-01-01-000000.md": "# Old\n\n@/specs/jwt.md\n",
  });

test("view_document shows the text, the tasks with their status, and the hash", async () => {
  const { data, text } = await call(viewDocument, { document: "/api/auth.md" }, world());
  expect(data).toMatchObject({
    document: "/api/auth.md",
    title: "Auth",
    text: auth,
    tasks: [
      { slug: "sign", title: "Sign", status: "in_progress" },
      { slug: "check", title: "Check", status: "pending" },
    ],
  });
  expect(text).toBe(`/api/auth.md (hash ${data?.hash})\n${auth}`);
});

test("view_document shows one section or task", async () => {
  const shown = await call(viewDocument, { document: "/api/auth.md#sign" }, world());
  expect(shown.data).toMatchObject({
    document: "/api/auth.md#sign",
    text: "### Sign\n\n- Status: in_progress\n\nDo it.\n\n",
  });
});

test("view_document shows an outline", async () => {
  const { text, data } = await call(viewDocument, { document: "/api/auth.md", outline: true }, world());
  expect(text.split("\n").slice(1)).toEqual([
    "# Auth → #auth",
    "## Tasks → #tasks",
    "### Sign → #sign (in_progress)",
    "### Check → #check (pending)",
    "## Notes → #notes",
  ]);
  expect(data).not.toHaveProperty("text");
});

test("a long document comes in pages that are the document", async () => {
  const long = `# Long\n\n${"a line of text\n".repeat(4000)}${"x".repeat(50_000)}\n## End\n`;
  const store = new SmallStore({ "/long.md": long });
  let text = "";
  let pages = 0;
  for (let from: unknown = 0; from !== undefined; pages += 1) {
    const { data } = await call(viewDocument, { document: "/long.md", from: from as number }, store);
    text += data?.text;
    from = data?.next;
  }
  expect(text).toBe(long);
  expect(pages).toBeGreaterThan(4);
});

test("a page is reasonably full, however long a line is", async () => {
  const long = `# Long\n\n${"x".repeat(50_000)}\n`;
  const { data } = await call(viewDocument, { document: "/long.md" }, new SmallStore({ "/long.md": long }));
  expect(String(data?.text).length).toBeGreaterThan(19_000);
});

test("a long outline comes in pages too", async () => {
  const store = new SmallStore({
    "/long.md": Array.from({ length: 1000 }, (_, at) => `## S${at}\n\nx\n`).join("\n"),
  });
  const slugs: string[] = [];
  for (let from: unknown = 0; from !== undefined; ) {
    const { data } = await call(
      viewDocument,
      { document: "/long.md", outline: true, from: from as number },
      store,
    );
    slugs.push(
      ...z
        .array(z.object({ slug: z.string() }))
        .parse(data?.sections)
        .map(({ slug }) => slug),
    );
    from = data?.next;
  }
  expect(slugs).toEqual(Array.from({ length: 1000 }, (_, at) => `s${at}`));
});

test("archives and the coordinator's list are shown by name", async () => {
  for (const document of ["/coordinator/active.md", "/archived/docs/old-2026-01-01-000000.md"]) {
    expect((await call(viewDocument, { document }, world())).codes).toEqual([]);
  }
});

test.each([
  ["/api/auht.md", "DOC_NOT_FOUND", "/api/auth.md"],
  ["/auth.md", "DOC_NOT_FOUND", "/api/auth.md"],
  ["/api/auth.md#sing", "SECTION_NOT_FOUND", "#sign"],
  ["/api/auth", "DOC_NOT_MARKDOWN", "/api/auth.md"],
  ["/api/auth.md#", "DOC_EMPTY_SLUG", "#slug"],
])("a missing document or section is reported with the nearest name: %s", async (document, code, near) => {
  const { codes, text } = await call(viewDocument, { document }, world());
  expect(codes).toEqual([code]);
  expect(text).toContain(near);
});

test("browse_documents lists what is under docs/ and nothing else", async () => {
  const { data, text } = await call(browseDocuments, {}, world());
  expect(data).toEqual({
    documents: [
      { document: "/api/auth.md", title: "Auth", tasks: 2, open_tasks: 2 },
      { document: "/specs/jwt.md", title: "JWT", tasks: 0, open_tasks: 0 },
    ],
    folders: [],
    total: 2,
  });
  expect(text).toBe("/: 2 documents\n/api/auth.md Auth, 2 open tasks\n/specs/jwt.md JWT");
  for (const folder of ["/coordinator", "archived/", "/archived/docs"]) {
    expect((await call(browseDocuments, { folder }, world())).codes).toEqual(["DOC_OUTSIDE"]);
  }
  expect((await call(browseDocuments, { folder: "../x" }, world())).codes).toEqual(["PATH_DOTDOT"]);
});

test("browse_documents counts the documents that are too many to list", async () => {
  const store = new SmallStore();
  for (let at = 0; at < 1000; at += 1) store.put(`/f${at % 200}/d${at}.md`, "## Tasks\n- [ ] x\n");
  const first = await call(browseDocuments, {}, store);
  expect(first.data).toMatchObject({ total: 1000, documents: [], next: 150 });
  expect(first.data?.folders).toContainEqual({ folder: "/f0/", documents: 5, open_tasks: 5 });
  const second = await call(browseDocuments, { from: 150 }, store);
  expect(second.data?.folders).toHaveLength(50);
  expect(second.data).not.toHaveProperty("next");
  const inside = await call(browseDocuments, { folder: "/f7" }, store);
  expect(inside.data?.documents).toHaveLength(5);
});

test("search_documents names sections and marks words", async () => {
  const { data, text } = await call(searchDocumentsTool, { query: "rs2" }, world());
  expect(data).toEqual({
    results: [{ document: "/specs/jwt.md#signing", title: "JWT", heading: "Signing", snippet: "**RS256**." }],
    total: 1,
  });
  expect(text).toBe('1 section with "rs2"\n/specs/jwt.md#signing (JWT › Signing): **RS256**.');
  expect((await call(searchDocumentsTool, { query: "coordinator" }, world())).data?.total).toBe(0);
  expect((await call(searchDocumentsTool, { query: "rs2", folder: "/api" }, world())).data?.total).toBe(0);
});

test("section reads a section and tells what refers to it", async () => {
  const { data } = await call(section, { document: "/specs/jwt.md#signing" }, world());
  expect(data).toMatchObject({ text: "## Signing\n\nRS256.\n\n", referred_by: ["/api/auth.md#auth"] });
  const whole = await call(section, { document: "/specs/jwt.md" }, world());
  expect(whole.data?.referred_by).toEqual(["/api/auth.md#auth", "/coordinator/active.md#one"]);
});

test("section edits by splices, all or none", async () => {
  const store = world();
  const { data } = await call(
    section,
    {
      document: "/api/auth.md#notes",
      operations: [
        { operation: "append", content: "More." },
        { operation: "insert_after", slug: "#check", title: "Refresh", content: "- Status: pending" },
      ],
    },
    store,
  );
  const after = auth
    .replace("## Notes", "### Refresh\n\n- Status: pending\n\n## Notes")
    .replace("jwt.md`.\n", "jwt.md`.\n\nMore.\n");
  expect(store.text("/api/auth.md")).toBe(after);
  expect(data).toMatchObject({ slugs: ["notes", "refresh"], removed: [] });
  const refused = await call(
    section,
    {
      document: "/api/auth.md",
      operations: [
        { operation: "append", slug: "notes", content: "x" },
        { operation: "remove", slug: "nothing" },
      ],
    },
    store,
  );
  expect(refused.codes).toEqual(["SECTION_NOT_FOUND"]);
  expect(store.text("/api/auth.md")).toBe(after);
});

test("section warns when a task loses its verify command", async () => {
  const store = new SmallStore({ "/a.md": "# A\n\n## Tasks\n\n### One\n- Verify: npm test\n\nWords\n" });
  const replace = (content: string) =>
    call(section, { document: "/a.md#one", operations: [{ operation: "replace", content }] }, store);
  expect((await replace("- Verify: npm test\n\nOther words")).text).not.toContain("Warning");
  expect((await replace("Words")).text).toContain(
    'Warning: this edit removed the verify command "npm test" of #one',
  );
});

test("section refuses a document that changed since", async () => {
  const store = world();
  const { data } = await call(section, { document: "/api/auth.md#notes" }, store);
  const hash = data?.hash as string;
  const operations = [{ operation: "append" as const, slug: "notes", content: "x" }];
  expect((await call(section, { document: "/api/auth.md", operations, hash }, store)).codes).toEqual([]);
  expect((await call(section, { document: "/api/auth.md", operations, hash }, store)).codes).toEqual([
    "DOC_CHANGED",
  ]);
});

test("section reorders the coordinator's list, and leaves archives alone", async () => {
  const store = world();
  const operations = [{ operation: "insert_before" as const, slug: "one", from: "two" }];
  expect((await call(section, { document: "/coordinator/active.md", operations }, store)).codes).toEqual([]);
  expect(store.text("/coordinator/active.md")).toBe(
    "# Coordinator Tasks\n\n## Tasks\n\n### Two\n\n### One\n- Main-Workflow: w\n\n@/specs/jwt.md\n\n",
  );
  const archived = {
    document: "/archived/docs/old-2026-01-01-000000.md",
    operations: [{ operation: "append" as const, content: "x" }],
  };
  expect((await call(section, archived, store)).codes).toEqual(["DOC_ARCHIVED"]);
});

test("a removed section is named where it is still referred to", async () => {
  const store = world();
  const operations = [{ operation: "remove" as const, slug: "signing" }];
  const { text, data } = await call(section, { document: "/specs/jwt.md", operations }, store);
  expect(data).toMatchObject({ removed: ["signing"] });
  expect(text).toContain("#signing is gone, but still referred to by /api/auth.md#auth");
});

test("two tasks with one slug are refused", async () => {
  const operations = [{ operation: "append_child" as const, slug: "tasks", title: "Sign" }];
  const { codes } = await call(section, { document: "/api/auth.md", operations }, world());
  expect(codes).toEqual(["TASK_DUPLICATE"]);
});

test("a renamed section is followed by references and dependencies, and by nothing else", async () => {
  const store = world();
  store.put(
    "/other.md",
    "@/docs/api/auth.md#sign, `@/api/auth.md#sign` and @/api/auth.md#check\n\n```\n@/api/auth.md#sign\n```\n",
  );
  const { data } = await call(
    renameDocumentTool,
    { document: "/api/auth.md#sign", to: "Sign tokens" },
    store,
  );
  expect(data).toEqual({
    document: "/api/auth.md#sign-tokens",
    was: "/api/auth.md#sign",
    rewritten: ["/other.md"],
  });
  expect(store.text("/api/auth.md")).toBe(
    auth
      .replace("### Sign\n", "### Sign tokens\n")
      .replace("#sign\n", "#sign-tokens\n")
      .replace("auth.md#sign and", "auth.md#sign-tokens and"),
  );
  expect(store.text("/other.md")).toBe(
    "@/docs/api/auth.md#sign-tokens, `@/api/auth.md#sign` and @/api/auth.md#check\n\n```\n@/api/auth.md#sign\n```\n",
  );
});

test("references follow when the numbered slugs of equal titles change", async () => {
  const store = new SmallStore({
    "/a.md": "# A\n\n## S\n\n1\n\n## S\n\n@/a.md#s-1\n",
    "/b.md": "@/a.md#s-1 @/a.md#s\n",
  });
  const operations = [{ operation: "rename" as const, slug: "s", title: "T" }];
  await call(section, { document: "/a.md", operations }, store);
  expect(store.texts()).toEqual({
    "/a.md": "# A\n\n## T\n\n1\n\n## S\n\n@/a.md#s\n",
    "/b.md": "@/a.md#s @/a.md#t\n",
  });
});

test("a renamed document is followed by all references, its own among them; front matter and archives stay", async () => {
  const store = world();
  store.put("/specs/jwt.md", `${jwt}\n@/specs/jwt.md#short\n`);
  const { data } = await call(
    renameDocumentTool,
    { document: "/specs/jwt.md", to: "/security/tokens.md" },
    store,
  );
  expect(data).toEqual({
    document: "/security/tokens.md",
    was: "/specs/jwt.md",
    rewritten: ["/api/auth.md", "/coordinator/active.md"],
  });
  expect(store.texts()).toEqual({
    ...world().texts(),
    "/security/tokens.md": `${jwt}\n@/security/tokens.md#short\n`,
    "/specs/jwt.md": undefined,
    "/api/auth.md": auth.replace("Why. @/specs/jwt.md", "Why. @/security/tokens.md"),
    "/coordinator/active.md": world()
      .text("/coordinator/active.md")
      ?.replace("@/specs/jwt.md", "@/security/tokens.md"),
  });
});

test.each([
  ["/specs/jwt.md", "/api/auth.md", "DOC_EXISTS"],
  ["/specs/jwt.md", "/specs/jwt.md", "DOC_SAME_NAME"],
  ["/specs/jwt.md", "/specs/two words.md", "DOC_UNREFERABLE"],
  ["/specs/jwt.md", "/specs/jwt.md#a", "DOC_NOT_SECTION"],
  ["/specs/jwt.md", "/archived/x.md", "DOC_ARCHIVED"],
  ["/coordinator/active.md", "/x.md", "DOC_COORDINATOR"],
  ["/nothing.md", "/x.md", "DOC_NOT_FOUND"],
  ["/specs/jwt.md#signing", "a\nb", "SECTION_TITLE"],
  ["/specs/jwt.md#nothing", "a", "SECTION_NOT_FOUND"],
])("rename_document refuses %s → %s", async (document, to, code) => {
  const store = world();
  expect((await call(renameDocumentTool, { document, to }, store)).codes).toEqual([code]);
  expect(store.texts()).toEqual(world().texts());
});

test.each([
  ["nothing below", "", "# New\n"],
  ["text below", "Text.\n\n## Tasks\n", "# New\n\nText.\n\n## Tasks\n"],
  ["the title again", "# New\n\nText.", "# New\n\nText.\n"],
  ["front matter", "---\na: b\n---\n\nText.", "---\na: b\n---\n# New\n\nText.\n"],
  ["CRLF", "one\r\ntwo", "# New\r\n\r\none\r\ntwo\r\n"],
])("create_document: %s", async (_title, content, expected) => {
  const store = new SmallStore();
  expect(
    (await call(createDocumentTool, { document: "/new.md", title: "New", content }, store)).codes,
  ).toEqual([]);
  expect(store.text("/new.md")).toBe(expected);
});

test.each([
  [{ document: "/api/auth.md", title: "x" }, "DOC_EXISTS"],
  [{ document: "/coordinator/more.md", title: "x" }, "DOC_COORDINATOR"],
  [{ document: "/archived/x.md", title: "x" }, "DOC_ARCHIVED"],
  [{ document: "/x.md#y", title: "x" }, "DOC_NOT_SECTION"],
  [{ document: "/x.md", title: " " }, "SECTION_TITLE"],
  [{ document: "/x.md", title: "a", content: "# b" }, "SECTION_TITLE"],
  [{ document: "/x.md", title: "a #" }, "SECTION_TITLE"],
  [{ document: "/x.md", title: "a", content: "```" }, "SECTION_UNCLOSED"],
  [{ document: "/x.md", title: "a", content: "\0" }, "DOC_ILL_FORMED"],
])("create_document refuses %j", async (given, code) => {
  const store = world();
  expect((await call(createDocumentTool, given, store)).codes).toEqual([code]);
  expect(store.texts()).toEqual(world().texts());
});

test("create_document mentions names that are nearly the same", async () => {
  const { data } = await call(createDocumentTool, { document: "/api/auht.md", title: "x" }, world());
  expect(data?.similar).toEqual(["/api/auth.md"]);
});

test("a document cannot grow beyond what can be read again", async () => {
  const store = new SmallStore({ "/a.md": "# A\n" });
  const content = "x".repeat(10_000_000);
  const operations = [{ operation: "append" as const, slug: "a", content }];
  expect((await call(section, { document: "/a.md", operations }, store)).codes).toEqual(["LIMIT_DOCUMENT"]);
  expect((await call(createDocumentTool, { document: "/b.md", title: "B", content }, store)).codes).toEqual([
    "LIMIT_DOCUMENT",
  ]);
  expect(store.texts()).toEqual({ "/a.md": "# A\n" });
});

test("delete_document archives without overwriting, and tells what still refers to it", async () => {
  const store = world();
  const { data } = await call(deleteDocumentTool, { document: "/specs/jwt.md" }, store);
  expect(data).toEqual({
    document: "/specs/jwt.md",
    archived_to: "/archived/docs/specs/jwt-2026-05-04-030201.md",
    referred_by: ["/api/auth.md#auth", "/coordinator/active.md#one"],
  });
  expect(store.text("/specs/jwt.md")).toBeUndefined();
  store.put("/specs/jwt.md", "again");
  const again = await call(deleteDocumentTool, { document: "/specs/jwt.md" }, store);
  expect(again.data?.archived_to).toBe("/archived/docs/specs/jwt-2026-05-04-030201-2.md");
  expect(store.text("/archived/docs/specs/jwt-2026-05-04-030201.md")).toBe(jwt);
});

test("a name of any length can be archived", async () => {
  const document = `/${"ordner/".repeat(60)}${"ä".repeat(125)}.md`;
  const { data } = await call(deleteDocumentTool, { document }, new SmallStore({ [document]: "x" }));
  expect(data?.archived_to).toMatch(/^\/archived\/docs\/.*ä-2026-05-04-030201\.md$/);
});

test.each([
  ["/coordinator/active.md", "DOC_COORDINATOR"],
  ["/archived/docs/old-2026-01-01-000000.md", "DOC_ARCHIVED"],
  ["/specs/jwt.md#signing", "DOC_NOT_SECTION"],
  ["/specs/jtw.md", "DOC_NOT_FOUND"],
])("delete_document refuses %s", async (document, code) => {
  expect((await call(deleteDocumentTool, { document }, world())).codes).toEqual([code]);
});

test("the descriptions of all seven document tools take less than six thousand bytes, and no tool takes an unknown key", () => {
  const tools: Tool[] = [
    viewDocument,
    browseDocuments,
    searchDocumentsTool,
    section,
    createDocumentTool,
    deleteDocumentTool,
    renameDocumentTool,
  ];
  const shortened = (schema: z.ZodType, isAnswer: boolean) => {
    const { $schema: _dialect, required, ...rest } = z.toJSONSchema(schema, { io: "input" });
    return isAnswer ? rest : { ...rest, required };
  };
  const listed = tools.map(({ name, title, description, does, input, output }) => ({
    name,
    title,
    description,
    annotations: { ...does, openWorldHint: false },
    inputSchema: shortened(input, false),
    outputSchema: shortened(output, true),
  }));
  expect(JSON.stringify(listed).length).toBeLessThan(6_000);
  for (const { input } of tools)
    expect(input.safeParse({ document: "/a.md", unknown: 1 }).success).toBe(false);
});
