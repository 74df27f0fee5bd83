/** What does not exist, or cannot, is reported as such: it never looks like something empty. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call } from "../../test/document/call.ts";
import { SmallStore } from "../../test/document/small-store.ts";
import { FileStore } from "../document-store/file-store.ts";
import { nodeChance } from "../world/chance.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { nodeClock } from "../world/time/clock.ts";
import { browseDocuments } from "./tools/documents/browse-documents.ts";
import { createDocumentTool } from "./tools/documents/create-document.ts";
import { renameDocumentTool } from "./tools/documents/rename-document.ts";
import { searchDocumentsTool } from "./tools/documents/search-documents.ts";
import { viewDocument } from "./tools/documents/view-document.ts";

const world = () => new SmallStore({ "/specs/keys.md": "# Keys\n\nRS256.\n", "/x.md": "# X\n" });

test.each([
  ["/spec/", "FOLDER_NOT_FOUND", "Did you mean /specs/?"],
  ["/x.md", "FOLDER_NOT_FOUND", "view_document /x.md"],
  ["/elsewhere", "FOLDER_NOT_FOUND", "browse_documents without a folder"],
])("a listing of the folder %s says that it is missing, not empty", async (folder, code, hint) => {
  for (const shown of [
    await call(browseDocuments, { folder }, world()),
    await call(searchDocumentsTool, { query: "keys", folder }, world()),
  ]) {
    expect(shown.codes).toEqual([code]);
    expect(shown.text).toContain(hint);
  }
});

test("an empty folder, and a store without documents, are no mistake", async () => {
  expect((await call(browseDocuments, { folder: "/specs" }, world())).data?.total).toBe(1);
  expect((await call(searchDocumentsTool, { query: "none", folder: "/specs" }, world())).data?.total).toBe(0);
  expect((await call(browseDocuments, {}, new SmallStore())).data?.total).toBe(0);
  expect((await call(searchDocumentsTool, { query: "x" }, new SmallStore())).data?.total).toBe(0);
});

test.each(["", "  ", "?!", "-- / --"])(
  "a search for %j is refused, because it has no word",
  async (query) => {
    expect((await call(searchDocumentsTool, { query }, world())).codes).toEqual(["SEARCH_NO_WORDS"]);
  },
);

test("a page after the last one is refused, not shown empty", async () => {
  const { codes, text } = await call(viewDocument, { document: "/x.md", from: 4 }, world());
  expect(codes).toEqual(["PAGE_BEYOND_END"]);
  expect(text).toContain("the document ends at 4");
  expect((await call(viewDocument, { document: "/x.md", from: 3 }, world())).data?.text).toBe("\n");
  expect((await call(browseDocuments, { from: 2 }, world())).codes).toEqual(["PAGE_BEYOND_END"]);
  expect((await call(browseDocuments, { from: 1 }, world())).codes).toEqual([]);
});

test.each([
  ["/specs", "/specs.md"],
  ["/a.txt", "like this: /a.md"],
  ["/specs/", "/specs/name.md"],
])(
  "the path %s is refused with how documents are named, without suggesting a missing one",
  async (document, hint) => {
    const { text } = await call(viewDocument, { document }, world());
    expect(text).toContain(hint);
    expect(text).not.toContain("Did you mean");
    expect(text).not.toContain(".txt.md");
  },
);

test.each([
  ["/w.md", []],
  ["/keys-2.md", []],
  ["/key.md", []],
  ["/other/keys.md", ["/specs/keys.md"]],
  ["/specs/keyss.md", ["/specs/keys.md"]],
])("creating the document %s mentions the similar %j", async (document, similar) => {
  const store = world();
  store.put("/keys-1.md", "# One\n");
  expect((await call(createDocumentTool, { document, title: "New" }, store)).data?.similar).toEqual(similar);
});

test("an obstacle to creating a document, like a file in place of a folder, is named", async () => {
  const root = mkdtempSync(join(tmpdir(), "documents-"));
  const file = (name: string) => join(root, ".coxswain/docs", name);
  const store = FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance });
  try {
    await call(createDocumentTool, { document: "/x.md", title: "X" }, store);
    const inside = { document: "/x.md/t.md", title: "T" };
    expect((await call(createDocumentTool, inside, store)).codes).toEqual(["PATH_NOT_DIRECTORY"]);
    await call(createDocumentTool, { document: "/y.md", title: "Y" }, store);
    const moved = await call(renameDocumentTool, { document: "/y.md", to: "/x.md/t.md" }, store);
    expect(moved.codes).toEqual(["PATH_NOT_DIRECTORY"]);
    mkdirSync(file("folder.md"));
    expect((await call(createDocumentTool, { document: "/folder.md", title: "T" }, store)).codes).toEqual([
      "PATH_IS_DIRECTORY",
    ]);
    writeFileSync(file("large.md"), "# Large\n");
    truncateSync(file("large.md"), 11_000_000);
    const large = await call(viewDocument, { document: "/large.md" }, store);
    expect(large.codes).toEqual(["LIMIT_FILE"]);
    expect(large.text).toContain("Split it into several documents");
  } finally {
    await store.close();
    rmSync(root, { recursive: true });
  }
});
