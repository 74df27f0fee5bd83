/** One validator for every door: a bad path is refused by the tools for documents as it is by the file executor. */
import { expect, test } from "vitest";
import { acceptedPaths, refusedPaths } from "../../test/bad-inputs/path-rows.ts";
import { call } from "../../test/document/call.ts";
import { SmallStore } from "../../test/document/small-store.ts";
import { createDocument } from "./create-document.ts";
import { deleteDocument } from "./delete-document.ts";
import { renameDocument } from "./rename-document.ts";
import { section } from "./section.ts";
import { viewDocument } from "./view-document.ts";

/** For a document `/` is the folder of all of them, so these are names inside it, and refused for another reason. */
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
    call(createDocument, { document: path, title: "x" }, store),
    call(deleteDocument, { document: path }, store),
    call(renameDocument, { document: path, to: "/x.md" }, store),
    call(renameDocument, { document: "/there.md", to: path }, store),
  ]);
  const expected = absolute.get(id) ?? code;
  expect(answers.map(({ codes }) => codes)).toEqual(answers.map(() => [expected]));
  expect(store.texts()).toEqual(before);
});

test.each(acceptedPaths)("%s: %s is the name of a document", async (_id, _about, path = "", canonical) => {
  const store = new SmallStore();
  const made = await call(createDocument, { document: `${path.replace(/\.md$/, "")}.md`, title: "x" }, store);
  expect(made.codes).toEqual([]);
  expect(Object.keys(store.texts())).toEqual([`/${(canonical ?? path).replace(/\.md$/, "")}.md`]);
});

test.each([
  ["PATH-54", "/Readme.md", "/README.md"],
  ["PATH-55", "/stra\u00dfe.md", "/strasse.md"],
  ["in a folder", "/Api/a.md", "/api/b.md"],
])("%s: two names that are one elsewhere", async (_id, one, other) => {
  const store = new SmallStore({ "/else.md": "" });
  expect((await call(createDocument, { document: one, title: "x" }, store)).codes).toEqual([]);
  expect((await call(createDocument, { document: other, title: "x" }, store)).codes).toEqual([
    "PATH_CASE_COLLISION",
  ]);
  expect((await call(renameDocument, { document: "/else.md", to: other }, store)).codes).toEqual([
    "PATH_CASE_COLLISION",
  ]);
});

test("a document is no folder", async () => {
  const store = new SmallStore({ "/a.md": "", "/b/c.md": "" });
  expect((await call(createDocument, { document: "/a.md/b.md", title: "x" }, store)).codes).toEqual([
    "PATH_NOT_DIRECTORY",
  ]);
});

test("/docs/a.md and /a.md are one document", async () => {
  const store = new SmallStore();
  await call(createDocument, { document: "/docs/a.md", title: "A" }, store);
  expect(store.texts()).toEqual({ "/a.md": "# A\n" });
  expect((await call(viewDocument, { document: "docs/a.md" }, store)).codes).toEqual([]);
  expect(
    (await call(createDocument, { document: "/docs/coordinator/a.md", title: "A" }, store)).codes,
  ).toEqual(["DOC_RESERVED"]);
});
