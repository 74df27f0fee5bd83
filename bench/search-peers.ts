/**
 * The search of another program over the same documents, through its own MCP server. Task Master has none. A search of
 * theirs may take minutes, so each program is given a time, and the largest number of documents that it bears is said.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../src/std/assert.ts";
import { grouped } from "../src/std/counted.ts";
import { fetched } from "../test/clients/fetched.ts";
import { backlogProgram, beginBacklog, startBacklog } from "./contestants/backlog.ts";
import { StdioServer } from "./contestants/stdio-server.ts";
import { fill, pages, program, queries } from "./document-search.ts";
import type { Scratch } from "./scratch.ts";

const sizes = [100, 1_000, 10_000];
const secondsMax = 120;

/** A server that is up, with so many documents. */
interface Searching {
  /** Answers with what was found, in any form. */
  search(query: string): Promise<string>;
  stop(): Promise<void>;
}

/** Lines for people; each is said as soon as it is known. */
export async function searchPeers(scratch: Scratch, say: (line: string) => void): Promise<void> {
  say("milliseconds of the first search, and of one that is warm, over stdio, documents of 2 KB:");
  for (const size of sizes)
    say(line("cox mcp", size, await timed(await coxSearching(scratch.fresh("cox"), size))));
  const found = await fetched(backlogProgram);
  if ("missing" in found) {
    say(`  ${backlogProgram.name}: ${found.missing}`);
    return;
  }
  for (const size of sizes) {
    const opening = backlogSearching(found.path, scratch.fresh("backlog"), size);
    say(line(backlogProgram.name, size, await timed(await opening)));
  }
}

async function coxSearching(folder: string, size: number): Promise<Searching> {
  const server = await StdioServer.start({ args: [program, "mcp"], folder: fill(folder, size) });
  return searching(server, "search_documents");
}

async function backlogSearching(path: string, folder: string, size: number): Promise<Searching> {
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

function searching(server: StdioServer, tool: string): Searching {
  return {
    search: async (query) => JSON.stringify((await server.call(tool, { query })).content),
    stop: () => server.stop(),
  };
}

async function timed({ search, stop }: Searching): Promise<string> {
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
    if (first === undefined || last === undefined) return `no answer within ${secondsMax} s`;
    const warm = marks.length > 1 ? ((last - first) / (marks.length - 1)).toFixed(0) : "not reached";
    return `${first.toFixed(0).padStart(8)} ${warm.padStart(10)}`;
  } finally {
    await stop();
  }
}

function line(name: string, size: number, said: string): string {
  return `  ${name.padEnd(16)} ${grouped(size).padStart(7)} documents  ${said}`;
}
