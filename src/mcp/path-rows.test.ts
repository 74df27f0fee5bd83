/** One validator for every door: the document tools refuse a bad path just as the file executor does. */
import { expect, test } from "vitest";
import { acceptedPaths, refusedPaths } from "../../test/bad-inputs/path-rows.ts";
import { call } from "../../test/document/call.ts";
import { SmallStore } from "../../test/document/small-store.ts";
import { browseDocuments } from "./tools/documents/browse-documents.ts";
import { createDocumentTool } from "./tools/documents/create-document.ts";
import { deleteDocumentTool } from "./tools/documents/delete-document.ts";
import { renameDocumentTool } from "./tools/documents/rename-document.ts";
import { section } from "./tools/documents/section.ts";
import { viewDocument } from "./tools/documents/view-document.ts";
import { subagentTaskTool } from "./tools/tasks/subagent-task.ts";

/**
 * For a document, `/` is the folder of all documents, so these are names inside it, and are refused for another reason.
 */
const absolute = new Map([
  ["PATH-04", "DOC_NOT_MARKDOWN"],
  ["PATH-05", "DOC_NOT_MARKDOWN"],
]);

test.each(refusedPaths)("%s: %s is refused by every tool", async (id, _about, path, code) => {
  const store = new SmallStore({ "/there.md": "# There\n" });
  const before = store.texts();
  const answers = await Promise.all([
    call(viewDocument, { document: path }, store),
    call(section, { document: path }, store),
    call(section, { document: path, operations: [{ operation: "append", content: "x" }] }, store),
    call(createDocumentTool, { document: path, title: "x" }, store),
    call(deleteDocumentTool, { document: path }, store),
    call(renameDocumentTool, { document: path, to: "/x.md" }, store),
    call(renameDocumentTool, { document: "/there.md", to: path }, store),
  ]);
  const expected = absolute.get(id) ?? code;
  expect(answers.map(({ codes }) => codes)).toEqual(answers.map(() => [expected]));
  expect(store.texts()).toEqual(before);
});

test.each([
  ["PROT-03", "/.git/hooks/a.md", "PATH_PROTECTED"],
  ["in any case", "/.GIT/a.md", "PATH_PROTECTED"],
  ["below a folder", "/api/.git/a.md", "PATH_PROTECTED"],
  ["below docs", "/docs/.git/a.md", "PATH_PROTECTED"],
  ["PROT-06", "/git~1/a.md", "PATH_PROTECTED"],
  ["as NTFS sees it", "/.git./a.md", "PATH_TRAILING_DOT_SPACE"],
  ["as HFS+ sees it", "/.g\u200cit/a.md", "PATH_INVISIBLE"],
  ["PROT-12", "/.coxswain/a.md", "PATH_PROTECTED"],
  ["PROT-30", "/node_modules/a/a.md", "PATH_PROTECTED"],
  ["PROT-27", "/.env.md", "PATH_SECRET"],
  ["PROT-27 in a folder", "/.ssh/a.md", "PATH_SECRET"],
])("%s: %s is no document to any tool", async (_row, path, code) => {
  const store = new SmallStore({ "/there.md": "# There\n" });
  const before = store.texts();
  const answers = await Promise.all([
    call(viewDocument, { document: path }, store),
    call(section, { document: path, operations: [{ operation: "append", content: "x" }] }, store),
    call(createDocumentTool, { document: path, title: "x" }, store),
    call(deleteDocumentTool, { document: path }, store),
    call(renameDocumentTool, { document: "/there.md", to: path }, store),
    call(subagentTaskTool, { document: path, operations: [{ operation: "create", title: "x" }] }, store),
    call(browseDocuments, { folder: path.slice(0, path.lastIndexOf("/")) }, store),
  ]);
  const listed = answers.pop();
  expect(answers.map(({ codes }) => codes)).toEqual(answers.map(() => [code]));
  if (code === "PATH_PROTECTED") expect(listed?.codes).toEqual([code]);
  expect(store.texts()).toEqual(before);
});

test.each(acceptedPaths)("%s: %s is the name of a document", async (_id, _about, path = "", canonical) => {
  const store = new SmallStore();
  const made = await call(
    createDocumentTool,
    { document: `${path.replace(/\.md$/, "")}.md`, title: "x" },
    store,
  );
  expect(made.codes).toEqual([]);
  expect(Object.keys(store.texts())).toEqual([`/${(canonical ?? path).replace(/\.md$/, "")}.md`]);
});

test.each([
  ["PATH-54", "/Readme.md", "/README.md"],
  ["PATH-55", "/stra\u00dfe.md", "/strasse.md"],
  ["in a folder", "/Api/a.md", "/api/b.md"],
])(
  "%s: a document name that equals another on a disk that ignores case is refused",
  async (_id, one, other) => {
    const store = new SmallStore({ "/else.md": "" });
    expect((await call(createDocumentTool, { document: one, title: "x" }, store)).codes).toEqual([]);
    expect((await call(createDocumentTool, { document: other, title: "x" }, store)).codes).toEqual([
      "PATH_CASE_COLLISION",
    ]);
    expect((await call(renameDocumentTool, { document: "/else.md", to: other }, store)).codes).toEqual([
      "PATH_CASE_COLLISION",
    ]);
  },
);

test("a document path cannot be below another document", async () => {
  const store = new SmallStore({ "/a.md": "", "/b/c.md": "" });
  expect((await call(createDocumentTool, { document: "/a.md/b.md", title: "x" }, store)).codes).toEqual([
    "PATH_NOT_DIRECTORY",
  ]);
});

test("/docs/a.md and /a.md are one document", async () => {
  const store = new SmallStore();
  await call(createDocumentTool, { document: "/docs/a.md", title: "A" }, store);
  expect(store.texts()).toEqual({ "/a.md": "# A\n" });
  expect((await call(viewDocument, { document: "docs/a.md" }, store)).codes).toEqual([]);
  expect(
    (await call(createDocumentTool, { document: "/docs/coordinator/a.md", title: "A" }, store)).codes,
  ).toEqual(["DOC_RESERVED"]);
});
