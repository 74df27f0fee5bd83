import fc from "fast-check";
import { expect, test } from "vitest";
import { type IndexedSection, SearchIndex } from "./search-index.ts";
import { readQuery } from "./words.ts";

/** One indexed section per argument; the first contains the others. */
const document = (...sections: readonly (readonly [title: string, text: string])[]): IndexedSection[] =>
  sections.map(([title, text], index) => ({ index, title, parent: 0, text }));

const search = (index: SearchIndex, query: string, limit = 10) =>
  index.search(readQuery(query), { limit }).hits.map(({ path, index }) => `${path}#${index}`);

test("in a search, headings weigh more than text, and rare words more than common ones", () => {
  const index = new SearchIndex();
  index.put(
    "/a.md",
    document(["one", "parser and more words of text"], ["parser", "words of other things here"]),
  );
  index.put("/b.md", document(["two", "words words words words"]));
  expect(search(index, "parser ")).toEqual(["/a.md#1", "/a.md#0"]);
  expect(search(index, "words parser ")[0]).toBe("/a.md#1");
});

test("a text with all the words comes before one with many of one", () => {
  const index = new SearchIndex();
  index.put("/a.md", document(["x", "token token token token token"]));
  index.put("/b.md", document(["y", "the refresh of a token takes place some time later on"]));
  index.put("/c.md", document(["z", "other"]));
  expect(search(index, "refresh token ")).toEqual(["/b.md#0", "/a.md#0"]);
});

test("the last word of a search may be the beginning of a word", () => {
  const index = new SearchIndex();
  index.put("/a.md", document(["x", "authentication"]));
  expect(search(index, "auth")).toEqual(["/a.md#0"]);
  expect(search(index, "auth ")).toEqual([]);
  expect(search(index, "auth authen")).toEqual(["/a.md#0"]);
});

test("a search below a folder finds only its documents, and counts all of them", () => {
  const index = new SearchIndex();
  for (let at = 0; at < 30; at += 1) index.put(`/${at % 2 ? "a" : "b"}/${at}.md`, document(["x", "word"]));
  const { hits, total } = index.search(readQuery("word"), { limit: 5, below: "/a/" });
  expect(total).toBe(15);
  expect(hits.map(({ path }) => path)).toEqual(["/a/1.md", "/a/11.md", "/a/13.md", "/a/15.md", "/a/17.md"]);
});

test("a document beyond the index's size limit is found by its titles only and listed as partial, until there is room", () => {
  const index = new SearchIndex({ bytesMax: 4_000 });
  index.put("/a.md", document(["one", "a b c d e f g h i j k l m n o p q r s t u v w x y z"]));
  expect(index.partial).toEqual([]);
  index.put("/b.md", document(["two", "zebra"]));
  expect(search(index, "zebra")).toEqual([]);
  expect(search(index, "two")).toEqual(["/b.md#0"]);
  expect(index.partial).toEqual(["/b.md"]);
  expect(index.fitting).toEqual([]);
  index.remove("/a.md");
  expect(index.fitting).toEqual(["/b.md"]);
  index.put("/b.md", document(["two", "zebra"]));
  expect(search(index, "zebra")).toEqual(["/b.md#0"]);
  expect(index.partial).toEqual([]);
});

test("a document of any length is found by its last word", () => {
  const index = new SearchIndex();
  index.put("/a.md", document(["one", `${"filler ".repeat(700_000)}last`]));
  expect(search(index, "last")).toEqual(["/a.md#0"]);
});

test("a word is found, however many longer words begin with it", () => {
  const index = new SearchIndex();
  const words = Array.from({ length: 3_000 }, (_, at) => `wo${at}`).join(" ");
  index.put("/a.md", document(["one", words]));
  search(index, "w");
  index.put("/b.md", document(["two", "wo"]));
  expect(search(index, "wo")[0]).toBe("/b.md#0");
});

test("names of built-in object properties are searched like other words", () => {
  const index = new SearchIndex();
  expect(search(index, "constructor")).toEqual([]);
  index.put("/a.md", document(["__proto__", "constructor"]));
  expect(search(index, "constructor")).toEqual(["/a.md#0"]);
});

test("an index of the same documents gives the same answers, in whatever order it was built", () => {
  const word = fc.constantFrom("alpha", "beta", "gamma", "al", "delta");
  const sections = fc.array(
    fc.tuple(
      word,
      fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
    ),
    { maxLength: 3 },
  );
  const edit = fc.record({ path: fc.constantFrom("/a.md", "/b.md", "/c.md"), sections: fc.option(sections) });
  fc.assert(
    fc.property(
      fc.array(edit, { minLength: 30, maxLength: 60 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      (edits, words) => {
        const grown = new SearchIndex();
        const last = new Map<string, IndexedSection[]>();
        // Often enough that dead entries are swept out.
        for (let round = 0; round < 20; round += 1) {
          for (const { path, sections } of edits) {
            if (sections) {
              grown.put(path, document(...sections));
              last.set(path, document(...sections));
            } else {
              grown.remove(path);
              last.delete(path);
            }
          }
        }
        const fresh = new SearchIndex();
        for (const [path, sections] of last) fresh.put(path, sections);
        for (const query of [words.join(" "), `${words.join(" ")} `]) {
          const [one, other] = [grown, fresh].map((index) => index.search(readQuery(query), { limit: 10 }));
          expect(one).toEqual(other);
        }
      },
    ),
    { numRuns: 30 },
  );
});
