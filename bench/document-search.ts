/** Full-text search over ten thousand documents through the MCP server, compared with reading them all each time. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../src/std/assert.ts";
import { StdioServer } from "./contestants/stdio-server.ts";
import type { Scratch } from "./scratch.ts";
import type { Workload } from "./workload.ts";

export const program = fileURLToPath(new URL("../../bin/cox.js", import.meta.url));
const documents = 10_000;
export const queries = [
  "token refresh",
  "migration of users",
  "retry budget",
  "cache eviction",
  "audit trail",
];
const cox = "cox mcp, warm";
const grep = "grep -rilE";

export function documentSearch(scratch: Scratch): Workload {
  let folder: string | undefined;
  const filled = () => {
    folder ??= fill(scratch.fresh("search"), documents);
    return folder;
  };
  return {
    name: "document-search",
    work: `${queries.length} searches of two or three words over 10,000 documents of 2 KB, over stdio`,
    fairness: [
      "The index is in memory, built at the first search, which is not measured; a search checks the folders that were reported as changed since the last one, and all of them every ten seconds.",
      "grep finds files that contain one of the words; it ranks nothing and shows no section.",
    ],
    contestants: [
      {
        name: cox,
        async prepare() {
          const server = await StdioServer.start({ args: [program, "mcp"], folder: filled() });
          await server.call("search_documents", { query: "token" });
          return {
            async go() {
              for (const query of queries) {
                const { structuredContent } = await server.call("search_documents", { query });
                assert(JSON.stringify(structuredContent).includes(".md"), `${query} was found`);
              }
            },
            end: () => server.stop(),
          };
        },
      },
      {
        name: grep,
        prepare: () => ({
          go() {
            const docs = join(filled(), ".coxswain/docs");
            for (const query of queries) {
              execFileSync("grep", ["-rilE", query.replaceAll(" ", "|"), docs], { maxBuffer: 1 << 26 });
            }
          },
        }),
      },
    ],
    comparisons: [{ slow: grep, fast: cox, target: { atLeast: 1 } }],
  };
}

const words =
  "token refresh session user account migration schema index table column query retry budget limit cache eviction audit trail log event queue worker deploy release rollback verify test unit build error timeout network request response header body stream buffer file folder path name key value".split(
    " ",
  );

/** Writes the documents for `cox mcp`. */
export function fill(folder: string, count: number): string {
  mkdirSync(join(folder, ".git"));
  for (const { number, title, text } of pages(count)) {
    const inside = join(folder, ".coxswain/docs", `area-${number % 100}`);
    if (number < 100) mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, `page-${number}.md`), `# ${title}\n\n${text}`);
  }
  return folder;
}

/** The same pages each time: the words come from a small number generator. */
export function* pages(count: number): Generator<{ number: number; title: string; text: string }> {
  let seed = 42;
  const word = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return words[(seed >>> 8) % words.length] ?? "";
  };
  const paragraph = () => `${Array.from({ length: 60 }, word).join(" ")}.`;
  for (let number = 0; number < count; number++) {
    const sections = ["Purpose", "Design", "Limits", "Open"].map(
      (title) => `## ${title}\n\n${paragraph()}\n`,
    );
    const title = `${word()} ${word()} ${number}`;
    yield { number, title, text: `${paragraph()}\n\n${sections.join("\n")}` };
  }
}
