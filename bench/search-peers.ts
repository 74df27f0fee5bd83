/**
 * The search of other programs over the same documents, through their own MCP servers. Task Master has none. A search
 * may take minutes, so each program has a time limit.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../src/std/assert.ts";
import { grouped } from "../src/std/counted.ts";
import { fetched } from "../test/clients/fetched.ts";
import { backlogProgram, beginBacklog, startBacklog } from "./contestants/backlog.ts";
import { StdioServer } from "./contestants/stdio-server.ts";
import { fill, pages, program, queries } from "./document-search.ts";
import type { PeerTable } from "./peer-table.ts";
import type { Scratch } from "./scratch.ts";

const sizes = [100, 1_000, 10_000];
const secondsMax = 120;

/** A running server with this many documents. */
interface SearchServer {
  /** Returns what was found, in any form. */
  search(query: string): Promise<string>;
  stop(): Promise<void>;
}

/** The other programs have no search that could be called. */
export async function searchPeers(scratch: Scratch, progress: (line: string) => void): Promise<PeerTable> {
  const found = await fetched(backlogProgram);
  const programs: Program[] = [
    { who: "cox mcp", open: (size) => coxSearching(scratch.fresh("cox"), size) },
    ...("missing" in found
      ? []
      : [
          {
            who: `${backlogProgram.name} ${backlogProgram.version}`,
            open: (size: number) => backlogSearching(found.path, scratch.fresh("backlog"), size),
          },
        ]),
  ];
  const rows = programs.map(({ who }) => ({ who, cells: [] as string[] }));
  for (const size of sizes) {
    for (const [at, { who, open }] of programs.entries()) {
      const cell = await timed(await open(size));
      rows[at]?.cells.push(cell);
      progress(`search-peers: ${who}, ${grouped(size)} documents, ${cell}`);
    }
  }
  return {
    name: "search-peers",
    work: "Searches over documents of 2 KB, over stdio: milliseconds until the first one on a server that has just started is answered, and of one that is warm",
    columns: sizes.map((size) => `${grouped(size)} documents`),
    rows,
    aims: [],
    fairness: [
      "cox mcp answers with ranked sections and the words around each match; backlog.md with ranked documents. task-master-ai has no search of its own.",
      ...("missing" in found ? [`${backlogProgram.name}: ${found.missing}`] : []),
    ],
  };
}

interface Program {
  readonly who: string;
  open(size: number): Promise<SearchServer>;
}

async function coxSearching(folder: string, size: number): Promise<SearchServer> {
  const server = await StdioServer.start({ args: [program, "mcp"], folder: fill(folder, size) });
  return searching(server, "search_documents");
}

async function backlogSearching(path: string, folder: string, size: number): Promise<SearchServer> {
  beginBacklog(folder);
  mkdirSync(join(folder, "backlog/docs"));
  for (const { number, title, text } of pages(size)) {
    const head = `id: doc-${number}\ntitle: ${title}\ntype: other\ncreated_date: '2026-01-01 00:00'\n`;
    writeFileSync(
      join(folder, `backlog/docs/doc-${number} - Page-${number}.md`),
      `---\n${head}---\n\n${text}`,
    );
  }
  return searching(await startBacklog(path, folder), "document_search");
}

function searching(server: StdioServer, tool: string): SearchServer {
  return {
    search: async (query) => JSON.stringify((await server.call(tool, { query })).content),
    stop: () => server.stop(),
  };
}

async function timed({ search, stop }: SearchServer): Promise<string> {
  const began = performance.now();
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), secondsMax * 1000).unref();
  });
  const elapsed = () => performance.now() - began;
  try {
    const marks: number[] = [];
    for (const query of ["token", ...queries]) {
      const answer = await Promise.race([search(query), late]);
      if (answer === undefined) break;
      assert(/page|doc-/i.test(answer), `${query} was found`);
      marks.push(elapsed());
    }
    const [first, last] = [marks[0], marks.at(-1)];
    if (first === undefined || last === undefined) return `none within ${secondsMax} s`;
    const warm = marks.length > 1 ? ((last - first) / (marks.length - 1)).toFixed(0) : "not reached";
    return `${first.toFixed(0)}, ${warm}`;
  } finally {
    await stop();
  }
}
