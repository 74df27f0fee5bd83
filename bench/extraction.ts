/** A very long reply, far beyond what models write: shows that reading stays linear, and what strictness costs. */
import { readReply } from "../src/reply/read.ts";
import { assert } from "../src/std/assert.ts";
import type { Workload } from "./workload.ts";

const extraction = "readReply";
const plainParse = "JSON.parse";

export function extractionOfLongReply(): Workload {
  const json = longJson();
  const reply = `I have made the files you asked for.\n\n\`\`\`json\n${json}\n\`\`\`\n\nAll of them are new.\n`;
  return {
    name: "extraction",
    work: "a reply of 50 MB: some prose and one block with 1,000 new files of source code",
    fairness: [
      `${extraction}: finds the block in the reply, refuses duplicate keys and too much depth before anything is built, parses, and checks every operation against the schema and for placeholders.`,
      `${plainParse}: of the block's content alone, given as a string.`,
    ],
    contestants: [
      {
        name: extraction,
        prepare: () => {
          let count: number | undefined;
          return {
            go: () => {
              count = readReply(reply).reply?.operations.length;
            },
            end: () => assert(count === operations, "the reply was read"),
          };
        },
      },
      {
        name: plainParse,
        prepare: () => {
          let value: unknown;
          return {
            go: () => {
              value = JSON.parse(json);
            },
            end: () => assert(value, "the block was parsed"),
          };
        },
      },
    ],
    comparisons: [{ slow: extraction, fast: plainParse, target: { atMost: 3 } }],
  };
}

const operations = 1000;
const bytesEach = 50_000;

function longJson(): string {
  const list = Array.from({ length: operations }, (_, number) => ({
    operation: "create",
    file_path: `src/part-${number % 20}/module-${number}.ts`,
    content: source(number),
    description: `Makes module ${number} of the program`,
  }));
  return JSON.stringify({ file_operations: list, specialist_summary: "Made the modules." });
}

/** Has about as many quotes, indents and line ends, which must be unescaped, as real code. */
function source(number: number): string {
  let text = "";
  for (let line = 0; text.length < bytesEach * 0.95; line++) {
    text += `export function step${line}(input: Input): Output {\n`;
    text += `\tif (input.name === "${number}-${line}") return failure(input, "not \\"here\\"", ${line});\n`;
    text += "  return { ...input, done: true, children: input.children.map(step) };\n}\n\n";
  }
  return text;
}
