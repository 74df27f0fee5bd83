import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call } from "../../test/document/call.ts";
import { searchDocuments as search } from "../document/search/search-documents.ts";
import { FileStore } from "../document-store/file-store.ts";
import { nodeChance } from "../world/chance.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { nodeClock } from "../world/time/clock.ts";
import { browseDocuments } from "./tools/documents/browse-documents.ts";
import { createDocumentTool } from "./tools/documents/create-document.ts";
import { deleteDocumentTool } from "./tools/documents/delete-document.ts";
import { renameDocumentTool } from "./tools/documents/rename-document.ts";
import { searchDocumentsTool } from "./tools/documents/search-documents.ts";
import { section } from "./tools/documents/section.ts";

test("the document tools work on files that somebody edits at the same time", async () => {
  const root = mkdtempSync(join(tmpdir(), "documents-"));
  const file = (name: string) => join(root, ".coxswain/docs", name);
  const store = FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance });
  try {
    await call(
      createDocumentTool,
      { document: "/a.md", title: "A", content: "## Setup\n\nfirst words" },
      store,
    );
    await call(createDocumentTool, { document: "/b.md", title: "B", content: "see @/a.md#setup" }, store);
    expect((await call(searchDocumentsTool, { query: "first" }, store)).data?.total).toBe(1);

    mkdirSync(file("sub"));
    writeFileSync(file("sub/c.md"), "# C\r\n\r\nby hand @/a.md#setup\r\n");
    writeFileSync(file("a.md"), "# A\n\n## Setup\n\nother words\n");
    expect((await call(searchDocumentsTool, { query: "first" }, store)).data?.total).toBe(0);
    expect((await call(searchDocumentsTool, { query: "hand" }, store)).data?.total).toBe(1);
    expect((await call(browseDocuments, {}, store)).data?.total).toBe(3);

    await call(
      section,
      { document: "/a.md", operations: [{ operation: "rename", slug: "setup", title: "Start" }] },
      store,
    );
    await call(renameDocumentTool, { document: "/a.md", to: "/guide/a.md" }, store);
    expect(readFileSync(file("guide/a.md"), "utf8")).toBe("# A\n\n## Start\n\nother words\n");
    expect(readFileSync(file("b.md"), "utf8")).toBe("# B\n\nsee @/guide/a.md#start\n");
    expect(readFileSync(file("sub/c.md"), "utf8")).toBe("# C\r\n\r\nby hand @/guide/a.md#start\r\n");

    const { data } = await call(deleteDocumentTool, { document: "/guide/a.md" }, store);
    expect(data?.referred_by).toEqual(["/b.md#b", "/sub/c.md#c"]);
    expect(readFileSync(join(root, ".coxswain", String(data?.archived_to)), "utf8")).toContain("other words");
    expect(store.history().map(({ tool }) => tool)).toEqual([
      "create_document",
      "create_document",
      "section",
      "rename_document",
      "delete_document",
    ]);
  } finally {
    await store.close();
    rmSync(root, { recursive: true });
  }
});

test("a search of documents names the files it could not read", async () => {
  const root = mkdtempSync(join(tmpdir(), "documents-"));
  const store = FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance });
  try {
    mkdirSync(join(root, ".coxswain/docs/old"), { recursive: true });
    writeFileSync(join(root, ".coxswain/docs/a.md"), "# A\n\nword\n");
    writeFileSync(join(root, ".coxswain/docs/old/latin.md"), Buffer.from([0x23, 0x20, 0xe4, 0x0a]));
    const { data, text } = await call(searchDocumentsTool, { query: "word" }, store);
    expect(data?.total).toBe(1);
    const { unsearched } = await search(store, "word", { limit: 1 });
    expect(unsearched).toEqual({ inPart: [], unreadable: ["/old/latin.md"], total: 1 });
    expect(text).toContain(
      "Not searched, because they cannot be read: /old/latin.md. view_document says why.",
    );
    expect((await call(searchDocumentsTool, { query: "word", folder: "/new/" }, store)).text).not.toContain(
      "Not searched",
    );
  } finally {
    await store.close();
    rmSync(root, { recursive: true });
  }
});
