/** Full-text search over ten thousand documents, through the MCP server, against reading them all each time. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../src/std/assert.ts";
import { StdioServer } from "./contestants/stdio-server.ts";
import type { Scratch } from "./scratch.ts";
import type { Workload } from "./workload.ts";

const program = fileURLToPath(new URL("../../bin/cox.js", import.meta.url));
const documents = 10_000;
const queries = ["token refresh", "migration of users", "retry budget", "cache eviction", "audit trail"];
const cox = "cox mcp, warm";
const grep = "grep -rilE";

export function documentSearch(scratch: Scratch): Workload {
  let folder: string | undefined;
  const filled = () => {
    folder ??= fill(scratch.fresh("search"));
    return folder;
  };
  return {
    name: "document-search",
    work: `${queries.length} searches of two or three words over 10,000 documents of 2 KB, over stdio`,
    fairness: [
      "The index is in memory, built at the first search, which is not measured; each search looks at the stat of every document.",
      "grep finds files that hold one of the words; it ranks nothing and shows no section.",
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
    comparisons: [{ slow: grep, fast: cox }],
  };
}

const words =
  "token refresh session user account migration schema index table column query retry budget limit cache eviction audit trail log event queue worker deploy release rollback verify test unit build error timeout network request response header body stream buffer file folder path name key value".split(
    " ",
  );

/** The same documents each time: words by a small generator of numbers. */
function fill(folder: string): string {
  let seed = 42;
  const word = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return words[(seed >>> 8) % words.length] ?? "";
  };
  mkdirSync(join(folder, ".git"));
  for (let at = 0; at < documents; at++) {
    const inside = join(folder, ".coxswain/docs", `area-${at % 100}`);
    if (at < 100) mkdirSync(inside, { recursive: true });
    const paragraph = () => `${Array.from({ length: 60 }, word).join(" ")}.`;
    const sections = ["Purpose", "Design", "Limits", "Open"].map(
      (title) => `## ${title}\n\n${paragraph()}\n`,
    );
    const text = `# ${word()} ${word()} ${at}\n\n${paragraph()}\n\n${sections.join("\n")}`;
    writeFileSync(join(inside, `page-${at}.md`), text);
  }
  return folder;
}
