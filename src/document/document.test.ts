import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { DocumentPath } from "./address.ts";
import { Document } from "./document.ts";

const path = "/a.md" as DocumentPath;

test("applying the same splices twice gives the same document object", () => {
  const document = Document.of(path, "# A\n\n## Tasks\n\n### One\n");
  const splices = [{ start: 0, end: 0, text: "x" }];
  expect(document.spliced(splices)).toBe(document.spliced(splices));
  expect(document.spliced([...splices])).not.toBe(document.spliced(splices));
});

test("a list whose tasks were edited one by one keeps its text once, not once for each of them", () => {
  const block = (n: number) =>
    `### Task ${n}\n\n- Status: pending\n\n${"Some words about it. ".repeat(500)}\n\n`;
  let document = Document.of(path, `## Tasks\n\n${Array.from({ length: 100 }, (_, n) => block(n)).join("")}`);
  const edit = (slug: string) => {
    const value = document.tasks.find(slug)?.fields[0]?.value;
    if (!value) throw new Error(`${slug} has a status`);
    document = document.spliced([{ ...value, text: "blocked" }]);
    expect(document.tasks.find(slug)?.status).toBe("blocked");
  };
  edit("task-0");
  const before = usedMegabytes();
  for (let n = 1; n < 100; n += 1) edit(`task-${n}`);
  // The text is one megabyte.
  expect(usedMegabytes() - before).toBeLessThan(20);
});

function usedMegabytes(): number {
  setFlagsFromString("--expose_gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1e6;
}
