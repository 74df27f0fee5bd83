import fc from "fast-check";
import { expect, test } from "vitest";
import { type IndexedSection, SearchIndex } from "./search-index.ts";
import { readQuery } from "./words.ts";

const section = (heading: string, text: string, slug = heading): IndexedSection => ({
  slug,
  heading,
  context: "",
  text,
});

const search = (index: SearchIndex, query: string, limit = 10) =>
  index.search(readQuery(query), { limit }).hits.map(({ path, slug }) => `${path}#${slug}`);

test("headings weigh more than text, rare words more than usual ones", () => {
  const index = new SearchIndex();
  index.put("/a.md", [
    section("one", "parser and more words of text"),
    section("parser", "words of other things here"),
  ]);
  index.put("/b.md", [section("two", "words words words words")]);
  expect(search(index, "parser ")).toEqual(["/a.md#parser", "/a.md#one"]);
  expect(search(index, "words parser ")[0]).toBe("/a.md#parser");
});

test("a text with all the words comes before one with many of one", () => {
  const index = new SearchIndex();
  index.put("/a.md", [section("x", "token token token token token")]);
  index.put("/b.md", [section("y", "the refresh of a token takes place some time later on")]);
  index.put("/c.md", [section("z", "other")]);
  expect(search(index, "refresh token ")).toEqual(["/b.md#y", "/a.md#x"]);
});

test("the last word may be a beginning", () => {
  const index = new SearchIndex();
  index.put("/a.md", [section("x", "authentication")]);
  expect(search(index, "auth")).toEqual(["/a.md#x"]);
  expect(search(index, "auth ")).toEqual([]);
  expect(search(index, "auth authen")).toEqual(["/a.md#x"]);
});

test("only what lies below a folder, counted whole", () => {
  const index = new SearchIndex();
  for (let at = 0; at < 30; at += 1) index.put(`/${at % 2 ? "a" : "b"}/${at}.md`, [section("x", "word")]);
  const { hits, total } = index.search(readQuery("word"), { limit: 5, below: "/a/" });
  expect(total).toBe(15);
  expect(hits.map(({ path }) => path)).toEqual(["/a/1.md", "/a/11.md", "/a/13.md", "/a/15.md", "/a/17.md"]);
});

test("beyond its bound a document is found by its headings alone", () => {
  const index = new SearchIndex({ postingsMax: 5 });
  index.put("/a.md", [section("one", "a b c d e f")]);
  index.put("/b.md", [section("two", "zebra")]);
  expect(search(index, "zebra")).toEqual([]);
  expect(search(index, "two")).toEqual(["/b.md#two"]);
});

test("words that every object has are words like others", () => {
  const index = new SearchIndex();
  expect(search(index, "constructor")).toEqual([]);
  index.put("/a.md", [section("__proto__", "constructor")]);
  expect(search(index, "constructor")).toEqual(["/a.md#__proto__"]);
});

test("however it came to be, an index of the same documents answers the same", () => {
  const word = fc.constantFrom("alpha", "beta", "gamma", "al", "delta");
  const document = fc.array(
    fc.record({ heading: word, text: fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")) }),
    { maxLength: 3 },
  );
  const edit = fc.record({ path: fc.constantFrom("/a.md", "/b.md", "/c.md"), document: fc.option(document) });
  fc.assert(
    fc.property(
      fc.array(edit, { minLength: 30, maxLength: 60 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      (edits, words) => {
        const grown = new SearchIndex();
        const last = new Map<string, IndexedSection[]>();
        // Often enough that what is dead is swept out.
        for (let round = 0; round < 20; round += 1) {
          for (const { path, document } of edits) {
            const sections = document?.map(({ heading, text }, at) => section(heading, text, `${at}`));
            if (sections) {
              grown.put(path, sections);
              last.set(path, sections);
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
