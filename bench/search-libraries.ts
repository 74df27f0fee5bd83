/**
 * Our full-text index next to libraries made for the job: why it is our own code (`docs/dependencies.md`). The
 * libraries are installed into a scratch folder, and each indexes the same sections in this process.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DocumentPath } from "../src/document/address.ts";
import { Document } from "../src/document/document.ts";
import { indexedSections } from "../src/document/search/indexed-sections.ts";
import { type IndexedSection, SearchIndex } from "../src/document/search/search-index.ts";
import { readQuery } from "../src/document/search/words.ts";
import { assert } from "../src/std/assert.ts";
import { grouped } from "../src/std/counted.ts";
import { collectGarbage } from "../test/collect-garbage.ts";
import { pages, queries } from "./document-search.ts";
import type { PeerTable } from "./peer-table.ts";
import type { Scratch } from "./scratch.ts";

const size = 10_000;
const replacedCount = 100;
const rounds = 5;
const limit = 10;
const titleWeight = 4;
const packages = { minisearch: "7.2.0", "@orama/orama": "3.1.18", flexsearch: "0.8.212" } as const;

export async function searchLibraries(
  scratch: Scratch,
  progress: (line: string) => void,
): Promise<PeerTable> {
  const load = installed(scratch.fresh("libraries"));
  const contestants: Contestant[] = [
    { who: "ours", open: ours },
    { who: `minisearch ${packages.minisearch}`, open: () => miniSearch(load) },
    { who: `orama ${packages["@orama/orama"]}`, open: () => orama(load) },
    { who: `flexsearch ${packages.flexsearch}`, open: () => flexSearch(load) },
  ];
  const documents = [...pages(size)].map(sectionsOf);
  const figures: { readonly who: string; readonly figure: Figure }[] = [];
  for (const { who, open } of contestants) {
    progress(`search-libraries: ${who}`);
    figures.push({ who, figure: await measured(open, documents) });
  }
  const [first] = figures;
  assert(first !== undefined, "ours is measured first");
  return {
    name: "search-libraries",
    work: `${grouped(size)} documents of five sections, as multiples of ours: processor time and memory`,
    columns: ["build", "search", "replace", "memory"],
    rows: figures.map(({ who, figure }) => ({ who, cells: multiples(figure, first.figure) })),
    aims: [],
    fairness: [
      "Titles weigh four times as much in all of them except flexsearch, which has no weights.",
      "Ours and minisearch take only the last word for a beginning, the others every word.",
    ],
  };
}

interface Contestant {
  readonly who: string;
  open(): Promise<Index> | Index;
}

interface Index {
  /** Replaces the sections that the document had before. */
  put(document: IndexedDocument): void;
  /** How many sections were found. */
  search(query: string): number;
}

interface IndexedDocument {
  readonly path: string;
  readonly sections: readonly IndexedSection[];
}

interface Figure {
  readonly build: number;
  readonly search: number;
  readonly replace: number;
  readonly bytes: number;
}

function sectionsOf({ number, title, text }: { number: number; title: string; text: string }) {
  const path = `/area-${number % 100}/page-${number}.md` as DocumentPath;
  return { path, sections: indexedSections(Document.of(path, `# ${title}\n\n${text}`), title) };
}

async function measured(open: Contestant["open"], documents: readonly IndexedDocument[]): Promise<Figure> {
  const before = await bytesInUse();
  const index = await open();
  const build = processorTime(() => {
    for (const document of documents) index.put(document);
  });
  const bytes = (await bytesInUse()) - before;
  const search = processorTime(() => {
    for (let round = 0; round < rounds; round++) {
      for (const query of queries) assert(index.search(query) > 0, `${query} was found`);
    }
  });
  const replace = processorTime(() => {
    for (const document of documents.slice(0, replacedCount)) index.put(document);
  });
  return { build, search, replace, bytes };
}

async function bytesInUse(): Promise<number> {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function processorTime(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

function multiples(figure: Figure, ours: Figure): string[] {
  return (["build", "search", "replace", "bytes"] as const).map((key) =>
    String(Number((figure[key] / ours[key]).toPrecision(2))),
  );
}

/** Imports a package by its name, as it would be imported if it were a dependency. */
type Load = <Module>(name: keyof typeof packages) => Promise<Module>;

function installed(folder: string): Load {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...wanted], { cwd: folder, stdio: "ignore" });
  const { resolve } = createRequire(join(folder, "package.json"));
  return (name) => import(pathToFileURL(resolve(name)).href);
}

function ours(): Index {
  const index = new SearchIndex();
  return {
    put: ({ path, sections }) => index.put(path, sections),
    search: (query) => index.search(readQuery(query), { limit }).hits.length,
  };
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Gives each section an id, and removes those that a document had before. */
class Rows {
  readonly #ids = new Map<string, readonly string[]>();
  #last = 0;

  constructor(private readonly index: { add(row: Row): void; remove(id: string): void }) {}

  put({ path, sections }: IndexedDocument): void {
    for (const id of this.#ids.get(path) ?? []) this.index.remove(id);
    const rows = sections.map(({ title, text }) => ({ id: String(++this.#last), title, text }));
    for (const row of rows) this.index.add(row);
    this.#ids.set(
      path,
      rows.map(({ id }) => id),
    );
  }
}

async function miniSearch(load: Load): Promise<Index> {
  const { default: MiniSearch } = await load<MiniSearchModule>("minisearch");
  const index = new MiniSearch({ fields: ["title", "text"] });
  const rows = new Rows({ add: (row) => index.add(row), remove: (id) => index.discard(id) });
  const options = {
    boost: { title: titleWeight },
    prefix: (_term: string, at: number, terms: readonly string[]) => at === terms.length - 1,
  };
  return {
    put: (document) => rows.put(document),
    search: (query) => index.search(query, options).slice(0, limit).length,
  };
}

interface MiniSearchModule {
  readonly default: new (options: {
    readonly fields: readonly string[];
  }) => {
    add(row: Row): void;
    discard(id: string): void;
    search(query: string, options: object): readonly unknown[];
  };
}

async function orama(load: Load): Promise<Index> {
  const { create, insert, remove, search } = await load<OramaModule>("@orama/orama");
  const index = create({ schema: { title: "string", text: "string" } });
  const rows = new Rows({ add: (row) => insert(index, row), remove: (id) => remove(index, id) });
  const options = { boost: { title: titleWeight }, threshold: 1, limit };
  return {
    put: (document) => rows.put(document),
    search: (term) => search(index, { ...options, term }).hits.length,
  };
}

interface OramaModule {
  create(options: { readonly schema: Readonly<Record<string, "string">> }): object;
  insert(index: object, row: Row): void;
  remove(index: object, id: string): void;
  search(index: object, options: object): { readonly hits: readonly unknown[] };
}

async function flexSearch(load: Load): Promise<Index> {
  const { default: flex } = await load<FlexSearchModule>("flexsearch");
  const fields = ["title", "text"].map((field) => ({ field, tokenize: "forward" }));
  const index = new flex.Document({ document: { id: "id", index: fields } });
  const rows = new Rows({ add: (row) => index.add(row), remove: (id) => index.remove(id) });
  return {
    put: (document) => rows.put(document),
    search: (query) => index.search(query, { limit, suggest: true }).length,
  };
}

interface FlexSearchModule {
  readonly default: {
    readonly Document: new (
      options: object,
    ) => {
      add(row: Row): void;
      remove(id: string): void;
      search(query: string, options: object): readonly unknown[];
    };
  };
}
