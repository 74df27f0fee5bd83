import fc from "fast-check";
import { expect, test } from "vitest";
import { type IndexedSection, SearchIndex } from "./search-index.ts";
import { readQuery } from "./words.ts";

/** One indexed section per argument; the first contains the others. */
const document = (...sections: readonly (readonly [title: string, text: string])[]): IndexedSection[] =>
  sections.map(([title, text], index) => ({ index, title, parent: 0, text }));

const search = (index: SearchIndex, query: string, limit = 10) =>
  index.search(readQuery(query), { limit }).hits.map(({ path, index }) => `${path}#${index}`);

test("headings weigh more than text, rare words more than usual ones", () => {
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

test("the last word may be a beginning", () => {
  const index = new SearchIndex();
  index.put("/a.md", document(["x", "authentication"]));
  expect(search(index, "auth")).toEqual(["/a.md#0"]);
  expect(search(index, "auth ")).toEqual([]);
  expect(search(index, "auth authen")).toEqual(["/a.md#0"]);
});

test("only what lies below a folder, counted whole", () => {
  const index = new SearchIndex();
  for (let at = 0; at < 30; at += 1) index.put(`/${at % 2 ? "a" : "b"}/${at}.md`, document(["x", "word"]));
  const { hits, total } = index.search(readQuery("word"), { limit: 5, below: "/a/" });
  expect(total).toBe(15);
  expect(hits.map(({ path }) => path)).toEqual(["/a/1.md", "/a/11.md", "/a/13.md", "/a/15.md", "/a/17.md"]);
});

test("beyond its bound a document is found by its titles alone, which it tells, until there is room", () => {
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

test("a text of any length is found by its last word", () => {
  const index = new SearchIndex();
  index.put("/a.md", document(["one", `${"filler ".repeat(700_000)}last`]));
  expect(search(index, "last")).toEqual(["/a.md#0"]);
});

test("however many words have its beginning, the word itself is found", () => {
  const index = new SearchIndex();
  const words = Array.from({ length: 3_000 }, (_, at) => `wo${at}`).join(" ");
  index.put("/a.md", document(["one", words]));
  search(index, "w");
  index.put("/b.md", document(["two", "wo"]));
  expect(search(index, "wo")[0]).toBe("/b.md#0");
});

test("words that every object has are words like others", () => {
  const index = new SearchIndex();
  expect(search(index, "constructor")).toEqual([]);
  index.put("/a.md", document(["__proto__", "constructor"]));
  expect(search(index, "constructor")).toEqual(["/a.md#0"]);
});

test("however it came to be, an index of the same documents answers the same", () => {
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
