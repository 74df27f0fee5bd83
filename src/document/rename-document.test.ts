import fc from "fast-check";
import { expect, test } from "vitest";
import { author, SmallStore } from "../../test/document/small-store.ts";
import type { DocumentPath } from "./address.ts";
import { changeSections } from "./change-sections.ts";
import { Document } from "./document.ts";
import { findPart } from "./find-document.ts";
import { linksOf } from "./links.ts";
import { renameDocument } from "./rename-document.ts";
import { sectionVerbs } from "./section-operation.ts";

const paths = ["/a.md", "/b/c.md", "/d.md"];
const names = ["Setup", "Use", "More"];
const link = fc
  .tuple(
    fc.constantFrom(...paths, "/docs/a.md"),
    fc.constantFrom("", "#setup", "#setup-1", "#use", "#more-1"),
  )
  .map(([path, slug]) => `see @${path}${slug}.`);
const noise = fc.constantFrom("`@/a.md#setup`", "```\n@/a.md#use\n```", "<!-- @/d.md -->", "text");
/** Every section has a mark of its own, by which it is known again. */
const text = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.array(fc.oneof(link, noise), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map((sections) =>
    sections.map(([title, lines], at) => `## ${title}\n\nmark ${at}\n\n${lines.join("\n\n")}\n`).join("\n"),
  );

/** What every reference leads to: the document by its first mark, the section by its own. */
function targets(store: SmallStore): string[][] {
  return Object.entries(store.texts()).map(([path, own]) => {
    const document = Document.of(path as DocumentPath, own);
    return linksOf(document).map(({ path: to = "", slug }) => {
      const there = store.text(to);
      if (there === undefined) return "nowhere";
      const other = Document.of(to as DocumentPath, there);
      if (slug === undefined) return `whole ${there.length > 0}`;
      const found = findPart(other, slug);
      return "problem" in found
        ? "nowhere"
        : (/mark \d+/.exec(there.slice(found.part.whole.start))?.[0] ?? "");
    });
  });
}

test("whatever is renamed, every reference leads where it led", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(text, text, text),
      fc.array(fc.record({ pick: fc.nat(2), slug: fc.nat(5), to: fc.constantFrom("New", "Setup", "Use") }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (texts, renames) => {
        const store = new SmallStore(Object.fromEntries(texts.map((own, at) => [paths[at], own])));
        const before = targets(store);
        for (const { pick, slug, to } of renames) {
          const path = (paths[pick] ?? "") as DocumentPath;
          const sections = Document.of(path, store.text(path) ?? "").sections.all;
          const operation = {
            operation: "rename" as const,
            slug: sections[slug % sections.length]?.slug ?? "",
            title: to,
          };
          const done = await changeSections(store, author, { path, operations: [operation], tool: "test" });
          expect(done).not.toHaveProperty("problems");
        }
        const after = targets(store);
        // What led nowhere may find something now; nothing else changes.
        before.forEach((row, at) => {
          row.forEach((target, link) => {
            if (target !== "nowhere") expect(after[at]?.[link]).toBe(target);
          });
        });
        const moved = await renameDocument(store, author, {
          path: paths[1] as DocumentPath,
          to: "/b/0.md" as DocumentPath,
          tool: "test",
        });
        expect(moved).not.toHaveProperty("problems");
        expect(targets(store)).toEqual(after);
        expect(JSON.stringify(store.texts()).match(/`@\/a\.md#setup`/g)).toEqual(
          JSON.stringify(texts).match(/`@\/a\.md#setup`/g),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("whatever is done to sections, references to those that stay lead to them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(text, text),
      fc.array(
        fc.record({
          verb: fc.constantFrom(...sectionVerbs),
          slug: fc.nat(5),
          title: fc.constantFrom(...names),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      async (texts, wishes) => {
        const store = new SmallStore({ "/a.md": texts[0], "/d.md": texts[1] });
        const { all } = Document.of("/a.md" as DocumentPath, texts[0]).sections;
        const operations = wishes.map(({ verb, slug: at, title }) => {
          const slug = all[at % all.length]?.slug ?? "";
          if (verb === "remove") return { operation: verb, slug };
          if (verb === "rename") return { operation: verb, slug, title };
          if (verb === "replace" || verb === "append" || verb === "prepend")
            return { operation: verb, slug, content: "x" };
          return { operation: verb, slug, title };
        });
        const [, before = []] = targets(store);
        const marks = new Set(
          operations.flatMap(({ operation, slug }) =>
            operation === "replace" || operation === "remove" ? [slug] : [],
          ),
        );
        const done = await changeSections(store, author, {
          path: "/a.md" as DocumentPath,
          operations,
          tool: "test",
        });
        if ("problems" in done) return;
        const [, after = []] = targets(store);
        const untouched = all
          .filter(({ slug }) => !marks.has(slug))
          .map(({ whole }) => /mark \d+/.exec(texts[0].slice(whole.start))?.[0] ?? "");
        const links = linksOf(Document.of("/d.md" as DocumentPath, texts[1]));
        before.forEach((target, at) => {
          if (links[at]?.path === "/a.md" && untouched.includes(target)) expect(after[at]).toBe(target);
        });
      },
    ),
    { numRuns: 100 },
  );
});
