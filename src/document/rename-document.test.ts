import fc from "fast-check";
import { expect, test } from "vitest";
import { author, SmallStore } from "../../test/document/small-store.ts";
import type { DocumentPath } from "./address.ts";
import { catalogueOf } from "./catalogue.ts";
import { Document } from "./document.ts";
import { findPart } from "./find-document.ts";
import { linksOf } from "./link/links.ts";
import { linksBack } from "./link/links-back.ts";
import { loadReferences } from "./link/load-references.ts";
import { spelledTarget, type WrittenLink } from "./link/markdown-links.ts";
import { renameDocument } from "./rename-document.ts";
import { changeSections } from "./section/change-sections.ts";
import { sectionVerbs } from "./section/section-operation.ts";

const paths = ["/a.md", "/b/c.md", "/d.md"];
const names = ["Setup", "Use", "More"];
/** As written in a document: a reference, or a Markdown link from there. */
type Writing = (from: DocumentPath) => string;
const link = fc
  .tuple(
    fc.constantFrom(...paths, "/docs/a.md"),
    fc.constantFrom("", "#setup", "#setup-1", "#use", "#more-1"),
    fc.constantFrom<WrittenLink | "reference" | "defined">(
      "reference",
      "relative",
      "root",
      "repository",
      "own",
      "defined",
    ),
  )
  .map(([path, slug, written]): Writing => {
    if (written === "reference") return () => `see @${path}${slug}.`;
    const to = path.replace("/docs/", "/") as DocumentPath;
    if (written === "defined")
      return (from) => `[x]: ${spelledTarget(to, { written: "relative", from })}${slug} "title"`;
    return (from) => `see [x](${spelledTarget(to, { written, from })}${slug}).`;
  });
const noise = fc
  .constantFrom(
    "`@/a.md#setup`",
    "```\n@/a.md#use\n```",
    "<!-- @/d.md -->",
    "`[x](/a.md#setup)`",
    "```\n[x](/a.md#use)\n```",
    "[x](https://example.com/a.md#use)",
    "text",
  )
  .map(
    (words): Writing =>
      () =>
        words,
  );
/** Every section has a mark of its own, by which it is recognised. */
const text = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.array(fc.oneof(link, noise), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map(
    (sections): Writing =>
      (from) =>
        sections
          .map(([title, lines], at) => {
            const written = lines.map((write) => write(from)).join("\n\n");
            return `## ${title}\n\nmark ${at}\n\n${written}\n`;
          })
          .join("\n"),
  );

/** The target of every reference: a document by its first mark, a section by its own. */
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

test("after any rename, every reference leads where it led before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(text, text, text),
      fc.array(fc.record({ pick: fc.nat(2), slug: fc.nat(5), to: fc.constantFrom("New", "Setup", "Use") }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom("/b/0.md", "/0.md", "/b/c/d/0.md", "/x y/(0).md"),
      async (texts, renames, to) => {
        const written = texts.map((write, at) => write(paths[at] as DocumentPath));
        const store = new SmallStore(Object.fromEntries(written.map((own, at) => [paths[at], own])));
        const before = targets(store);
        for (const { pick, slug, to: title } of renames) {
          const path = (paths[pick] ?? "") as DocumentPath;
          const sections = Document.of(path, store.text(path) ?? "").sections.all;
          const operation = {
            operation: "rename" as const,
            slug: sections[slug % sections.length]?.slug ?? "",
            title,
          };
          const done = await changeSections(store, author, { path, operations: [operation], tool: "test" });
          expect(done).not.toHaveProperty("problems");
        }
        const after = targets(store);
        // A link that was broken may find a target now; nothing else changes.
        before.forEach((row, at) => {
          row.forEach((target, link) => {
            if (target !== "nowhere") expect(after[at]?.[link]).toBe(target);
          });
        });
        const moved = await renameDocument(store, author, {
          path: paths[1] as DocumentPath,
          to: to as DocumentPath,
          tool: "test",
        });
        if (to.includes("(") && "problems" in moved) {
          expect(moved.problems).toMatchObject([{ code: "DOC_UNREFERABLE" }]);
          return;
        }
        expect(moved).not.toHaveProperty("problems");
        // Sorted, since the documents come in the order of their names.
        expect(targets(store).sort()).toEqual(after.sort());
        for (const inCode of [/`@\/a\.md#setup`/g, /`\[x\]\(\/a\.md#setup\)`/g, /\n\[x\]\(\/a\.md#use\)/g])
          expect(Object.values(store.texts()).join("").match(inCode)?.length).toBe(
            written.join("").match(inCode)?.length,
          );
      },
    ),
    { numRuns: 60 },
  );
});

test("after any edit of sections, references to the remaining ones still lead to them", async () => {
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
      async (writings, requests) => {
        const texts = writings.map((write, at) => write(["/a.md", "/d.md"][at] as DocumentPath));
        const [first = "", second = ""] = texts;
        const store = new SmallStore({ "/a.md": first, "/d.md": second });
        const { all } = Document.of("/a.md" as DocumentPath, first).sections;
        const operations = requests.map(({ verb, slug: at, title }) => {
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
          .map(({ whole }) => /mark \d+/.exec(first.slice(whole.start))?.[0] ?? "");
        const links = linksOf(Document.of("/d.md" as DocumentPath, second));
        before.forEach((target, at) => {
          if (links[at]?.path === "/a.md" && untouched.includes(target)) expect(after[at]).toBe(target);
        });
      },
    ),
    { numRuns: 100 },
  );
});

test("Markdown links follow a document that is moved, in others and in itself, and lead back from where they stand", async () => {
  const store = new SmallStore({
    "/api/auth.md": "# Auth\n\n[keys](../specs/keys.md#rs256), [here](#auth), [self](auth.md)\n",
    "/specs/keys.md": "# Keys\n\n## RS256\n\n| see |\n| --- |\n| [auth](/api/auth.md#auth) |\n",
    "/index.md": '# Index\n\n[a]: <api/auth.md> "Auth"\n\n`[x](api/auth.md)` ![x](api/auth.md)\n',
    "/coordinator/active.md": "# List\n\n[a](../docs/api/auth.md)\n",
  });
  const catalogue = catalogueOf(store);
  catalogue.refresh(store);
  expect(linksBack(store, catalogue, { path: "/specs/keys.md" as DocumentPath, slugs: ["rs256"] })).toEqual([
    "/api/auth.md#auth",
  ]);
  const moved = await renameDocument(store, author, {
    path: "/api/auth.md" as DocumentPath,
    to: "/auth (new).md" as DocumentPath,
    tool: "test",
  });
  expect(moved).toEqual({ rewritten: ["/index.md", "/specs/keys.md", "/coordinator/active.md"] });
  const name = "auth%20%28new%29.md";
  expect(store.texts()).toEqual({
    "/auth (new).md": `# Auth\n\n[keys](specs/keys.md#rs256), [here](#auth), [self](${name})\n`,
    "/specs/keys.md": `# Keys\n\n## RS256\n\n| see |\n| --- |\n| [auth](/${name}#auth) |\n`,
    "/index.md": `# Index\n\n[a]: <${name}> "Auth"\n\n\`[x](api/auth.md)\` ![x](${name})\n`,
    "/coordinator/active.md": `# List\n\n[a](../docs/${name})\n`,
  });
});

test("a task is not given the documents that Markdown links lead to", () => {
  const store = new SmallStore({ "/a.md": "# A\n\n[b](b.md) @/c.md\n", "/b.md": "# B\n", "/c.md": "# C\n" });
  const { loaded, missing } = loadReferences(store, "See @/a.md and [b](b.md).");
  expect(loaded.map(({ document }) => document)).toEqual(["/a.md", "/c.md"]);
  expect(missing).toEqual([]);
});
