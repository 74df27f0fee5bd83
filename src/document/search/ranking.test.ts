import fc from "fast-check";
import { expect, test } from "vitest";
import { SmallStore } from "../../../test/document/small-store.ts";
import { searchDocuments } from "./search-documents.ts";

const found = async (texts: Readonly<Record<string, string>>, query: string) =>
  (await searchDocuments(new SmallStore(texts), query, { limit: 50 })).results.map(
    ({ document }) => document,
  );

const prose =
  "It is asked for as seldom as can be, and what is asked for is kept, as long as nobody says otherwise, for a day.";

test.each<[claim: string, texts: Record<string, string>, query: string, expected: string[]]>([
  [
    "an empty section has nothing of the title of its document",
    {
      "/auth.md": `# Token handling\n\nintro\n\n## Overview\n\n## Misc\n\nok\n\n## Token expiry\n\nTokens expire. ${prose}\n`,
    },
    "token expiry",
    ["/auth.md#token-expiry", "/auth.md#token-handling"],
  ],
  [
    "nor of its path",
    { "/token/a.md": `# A\n\n## Overview\n\n## Life\n\nof a token. ${prose}\n` },
    "token",
    ["/token/a.md#a", "/token/a.md#life"],
  ],
  [
    "an exact title comes before everything",
    {
      "/a.md": "# token token token token\n\ntoken token token token\n",
      "/b.md": `# B\n\n## Token\n\n${prose}\n`,
      "/c.md": "# Token tokens\n\ntoken\n",
    },
    "token",
    ["/a.md#token-token-token-token", "/b.md#token", "/c.md#token-tokens"],
  ],
  [
    "a title that the query begins comes before others that have its words",
    {
      "/a.md": "# Größe prüfen und mehr\n\ngröße prüfen, größe prüfen\n",
      "/b.md": `# B\n\n## Größe prüfen\n\n${prose} ${prose}\n`,
      "/größe/prüfung.md": "# C\n\n## D\n\n## E\n\ngröße prüf\n",
    },
    "größe prüf",
    ["/b.md#größe-prüfen", "/a.md#größe-prüfen-und-mehr", "/größe/prüfung.md#e", "/größe/prüfung.md#c"],
  ],
  [
    "all words in its own title come before some of them above it",
    {
      "/retry.md": "# Retry\n\n## Budget\n\nbudget budget budget\n",
      "/b.md": `# B\n\n## The budget of a retry\n\n${prose}\n`,
    },
    "retry budget ",
    ["/b.md#the-budget-of-a-retry", "/retry.md#budget", "/retry.md#retry"],
  ],
  [
    "what stands above helps one section of a document, and less than its own words",
    {
      "/a.md": `# Retry\n\n## One\n\na budget. ${prose}\n\n## Two\n\nbudget, budget. ${prose}\n`,
      "/b.md": `# B\n\n## One\n\nbudget, budget. ${prose}\n`,
      "/c.md": `# C\n\n## One\n\na retry has a budget. ${prose}\n`,
    },
    "retry budget ",
    ["/c.md#one", "/a.md#retry", "/a.md#two", "/b.md#one", "/a.md#one"],
  ],
  [
    "a title of the front matter belongs to the document",
    { "/a.md": "---\ntitle: Signing in\n---\n# Auth\n\n## Tokens\n" },
    "signing in",
    ["/a.md"],
  ],
  ["a document without a heading has its name", { "/notes.md": "## One\n\ntext\n" }, "notes", ["/notes.md"]],
  ["two characters without a blank", { "/a.md": "# A\n\nこれは日本語の文書です\n" }, "文書", ["/a.md#a"]],
  ["one character", { "/a.md": "# A\n\nこれは日本語\n" }, "語", ["/a.md#a"]],
  ["an emoji", { "/a.md": "# A\n\nlift-off 🚀!\n", "/b.md": "# B\n\nno\n" }, "🚀", ["/a.md#a"]],
])("%s", async (_claim, texts, query, expected) => {
  expect(await found(texts, query)).toEqual(expected);
});

test("a section is found only by words of its own, and one whose title is the query comes first", async () => {
  const word = fc.constantFrom("alpha", "beta", "gamma", "delta");
  const words = fc.array(word, { maxLength: 8 }).map((all) => all.join(" "));
  const title = fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
  const document = fc.record({ title, sections: fc.array(fc.tuple(title, words), { maxLength: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 5 }), title, async (documents, query) => {
      const texts = documents.map(({ title, sections }, at): [string, string] => [
        `/${at}.md`,
        [`# ${title}\n`, ...sections.map(([title, text]) => `## ${title}\n\n${text}\n`)].join("\n"),
      ]);
      const store = new SmallStore(Object.fromEntries(texts));
      const { results } = await searchDocuments(store, `${query} `, { limit: 50 });
      const wanted = query.split(" ");
      const isExact = results.map(
        ({ heading }) => heading.split(" ").sort().join() === wanted.toSorted().join(),
      );
      expect(isExact).toEqual(isExact.toSorted((one, other) => Number(other) - Number(one)));
      for (const { heading, snippet } of results) {
        expect(wanted.some((word) => `${heading} ${snippet}`.includes(word))).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
