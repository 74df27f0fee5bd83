import { expect, test } from "vitest";
import { SmallStore } from "../../test/document/small-store.ts";
import { catalogueOf } from "./catalogue.ts";
import { searchDocuments } from "./search/search-documents.ts";

const found = async (store: SmallStore, query: string) =>
  (await searchDocuments(store, query, { limit: 10 })).results.map(({ document }) => document);

test("search results name the section, with the found words marked", async () => {
  const store = new SmallStore({
    "/api/auth.md":
      "---\ntitle: Signing in\n---\n# Auth\n\nIntro.\n\n## Tokens\n\nA refresh token lives long.\n",
    "/coordinator/active.md": "# Tasks\n\nrefresh\n",
    "/archived/docs/a.md": "refresh\n",
  });
  expect(await searchDocuments(store, "refr", { limit: 10 })).toEqual({
    results: [
      {
        document: "/api/auth.md#tokens",
        title: "Signing in",
        heading: "Tokens",
        snippet: "A **refresh** token lives long.",
      },
    ],
    total: 1,
    unsearched: { inPart: [], unreadable: [], total: 0 },
  });
});

test("text without a heading is found, and the result names its document", async () => {
  expect(await found(new SmallStore({ "/a.md": "only text\n" }), "text")).toEqual(["/a.md"]);
});

test("a second search reads only the documents that changed", async () => {
  const store = new SmallStore(
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`/${at}.md`, `word${at}\n`])),
  );
  await found(store, "word7 ");
  store.put("/7.md", "other\n");
  store.drop("/8.md");
  store.put("/new.md", "word7\n");
  store.reads = 0;
  expect(await found(store, "word7 ")).toEqual(["/new.md"]);
  expect(await found(store, "word8 ")).toEqual([]);
  expect(await found(store, "other")).toEqual(["/7.md"]);
  // Two for the changed documents, and one for each result's snippet.
  expect(store.reads).toBe(4);
});

test("ten thousand documents are searched", async () => {
  const store = new SmallStore();
  for (let at = 0; at < 10_000; at += 1)
    store.put(`/f${at % 100}/d${at}.md`, `# Title ${at}\n\ntext number${at} here\n`);
  expect(await found(store, "number4321 ")).toEqual(["/f21/d4321.md#title-4321"]);
});

test("a search stops when nobody waits for it any more", async () => {
  const store = new SmallStore(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`/${at}.md`, "x"])));
  const controller = new AbortController();
  const search = searchDocuments(store, "x", { limit: 1, signal: controller.signal });
  controller.abort();
  await expect(search).rejects.toThrow();
});

test("the card of a document shows its title and open tasks", () => {
  const store = new SmallStore({
    "/a.md": "# A\n\n## Tasks\n\n- [ ] one\n- [x] two\n",
    "/b.md": "text @/a.md `@/c.md`\n",
    "/c.md": "---\ntitle: C of the front\n---\n# C\n",
  });
  const catalogue = catalogueOf(store);
  catalogue.refresh(store);
  expect(
    catalogue.cards().map(({ path, title, tasks, openTasks }) => [path, title, tasks, openTasks]),
  ).toEqual([
    ["/a.md", "A", 2, 1],
    ["/b.md", "b", 0, 0],
    ["/c.md", "C of the front", 0, 0],
  ]);
});
