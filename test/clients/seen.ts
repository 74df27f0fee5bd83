/**
 * What the tests saw each real program do, for the table in docs/agents.md. A test says it when it has seen it; with
 * `COX_CLIENTS_SEEN=1` that is written to `seen.json` and into the page; a test of the pages holds the two together.
 */
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The columns, in their order. */
export const capabilities = [
  "structured reply",
  "read-only",
  "resume",
  "cancel",
  "usage",
  "cost",
  "MCP",
  "partial work kept",
] as const;

export type Capability = (typeof capabilities)[number];
/** `estimate`: reckoned from a table of prices. */
export type SeenAnswer = "yes" | "no" | "estimate";

export interface SeenClient {
  readonly version: string;
  readonly saw: Readonly<Partial<Record<Capability, SeenAnswer>>>;
}

export type Seen = Readonly<Record<string, SeenClient>>;

interface Named {
  readonly title: string;
  readonly version: string;
}

/** The last thing that a test does: what comes before has shown it. */
export function saw({ title, version }: Named, observations: SeenClient["saw"]): void {
  if (process.env.COX_CLIENTS_SEEN !== "1") return;
  alone(() => {
    const before = readSeen();
    const known = before[title]?.version === version ? before[title].saw : {};
    const after = { ...before, [title]: { version, saw: { ...known, ...observations } } };
    write(path, `${JSON.stringify(inOrder(after), null, 2)}\n`);
    write(page, withTable(readFileSync(page, "utf8"), readSeen()));
  });
}

/** Nobody finds half of it. */
function write(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** The page with the table in its place. */
export function withTable(text: string, seen: Seen): string {
  const [before = "", rest = ""] = text.split(begin);
  const [, after = ""] = rest.split(end);
  return `${before}${begin}\n\n${seenTable(seen)}\n\n${end}${after}`;
}

const begin = "<!-- what was seen, made by: COX_CLIENTS_SEEN=1 npm run test:clients -->";
const end = "<!-- end of what was seen -->";
const page = fileURLToPath(new URL("../../docs/agents.md", import.meta.url));

export function readSeen(): Seen {
  return JSON.parse(readFileSync(path, "utf8")) as Seen;
}

const path = fileURLToPath(new URL("seen.json", import.meta.url));

/** The same bytes whoever came first. */
function inOrder(seen: Seen): Seen {
  const row = ({ version, saw }: SeenClient): SeenClient => ({
    version,
    saw: Object.fromEntries(capabilities.flatMap((name) => (saw[name] ? [[name, saw[name]]] : []))),
  });
  return Object.fromEntries(
    Object.entries(seen)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([title, client]) => [title, row(client)]),
  );
}

/** Test files run at the same time, each in a process of its own. */
function alone(act: () => void): void {
  const lock = `${path}.lock`;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
  try {
    act();
  } finally {
    rmdirSync(lock);
  }
}

function seenTable(seen: Seen): string {
  const rows = Object.entries(seen).map(([title, { version, saw }]) => [
    `${title} ${version}`,
    ...capabilities.map((name) => saw[name] ?? "–"),
  ]);
  const lines = [["", ...capabilities], ["", ...capabilities].map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |")).join("\n");
}
