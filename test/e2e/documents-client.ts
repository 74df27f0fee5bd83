/**
 * A process that changes documents as fast as it can, one of many at once: `documents-client ROOT NAME FIRST LAST`. It
 * prints each change once the store has acknowledged it, so that the test that kills it knows what must be there.
 */
import { writeSync } from "node:fs";
import type { DocumentPath } from "../../src/document/address.ts";
import type { DocumentEdit, Library, StoreDecision } from "../../src/document/store.ts";
import { FileStore } from "../../src/document-store/file-store.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { nodeClock } from "../../src/world/time/clock.ts";

const [root = ".", name = "client", first = "0", last = "0"] = process.argv.slice(2);

const store = FileStore.open({
  files: openFiles(),
  root,
  clock: nodeClock,
  chance: nodeChance,
  waitMs: 120_000,
});
for (let number = Number(first); number <= Number(last); number++) {
  await store.change({ name, door: "terminal" }, (now) => decide(now, number));
  writeSync(1, `${number}\n`);
}
await store.close();

/** Mostly adds a line to one of a few shared lists; now and then creates a document of its own, which it archives later. */
function decide(now: Library, number: number): StoreDecision<void> {
  const mine = `/made/${name}.md` as DocumentPath;
  const { document } = now.read(mine);
  if (number % 10 === 3 && !document)
    return doing(`make ${name}.${number}`, { do: "create", path: mine, text: `${name}.${number}\n` });
  if (number % 10 === 7 && document) {
    const path = `/archived/made/${name}-${number}.md` as DocumentPath;
    return doing(
      `archive ${name}.${number}`,
      { do: "create", path, text: document.text },
      { do: "remove", path: mine },
    );
  }
  return doing(`add ${name}.${number}`, added(now, `/list-${number % 3}.md` as DocumentPath, number));
}

function added(now: Library, path: DocumentPath, number: number): DocumentEdit {
  const line = `- ${name}.${number}\n`;
  const { document } = now.read(path);
  if (!document) return { do: "create", path, text: `# List\n${line}` };
  const end = document.text.length;
  return { do: "splice", path, splices: [{ start: end, end, text: line }] };
}

function doing(about: string, ...edits: DocumentEdit[]): StoreDecision<void> {
  return { answer: undefined, edits, done: { tool: "documents-client", about } };
}
