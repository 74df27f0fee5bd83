/** A task whose `Id` is pinned has two names: the id, and the slug of its heading. */
import { expect, test } from "vitest";
import { call } from "../../test/document/call.ts";
import { SmallStore } from "../../test/document/small-store.ts";
import { memoryRuns } from "../../test/mcp/memory-runs.ts";
import { readResource } from "./resources/resources.ts";
import { renameDocumentTool } from "./tools/documents/rename-document.ts";
import { section } from "./tools/documents/section.ts";
import { viewDocument } from "./tools/documents/view-document.ts";

const work = "# W\n\n## Tasks\n\n### Job renamed\n\n- Id: job\n\nDo it.\n\n### Other\n";
const world = () =>
  new SmallStore({
    "/w.md": work,
    "/r.md": "# R\n\n@/w.md#job and @/w.md#job-renamed and [l](w.md#job) and [m](w.md#job-renamed)\n",
  });

test("a renamed task keeps its id, and references by either name lead to it", async () => {
  const store = world();
  const renamed = await call(renameDocumentTool, { document: "/w.md#job", to: "Totally other" }, store);
  expect(renamed.data?.document).toBe("/w.md#job");
  expect(store.text("/w.md")).toBe(work.replace("Job renamed", "Totally other"));
  expect(store.text("/r.md")).toBe("# R\n\n@/w.md#job and @/w.md#job and [l](w.md#job) and [m](w.md#job)\n");
});

test.each(["job", "job-renamed"])("every reading tool finds the task #%s under its id", async (slug) => {
  const store = world();
  const task = work.slice(work.indexOf("### Job"), work.indexOf("### Other"));
  const viewed = await call(viewDocument, { document: `/w.md#${slug}` }, store);
  expect(viewed.data).toMatchObject({ document: "/w.md#job", text: task });
  const read = await call(section, { document: `/w.md#${slug}` }, store);
  expect(read.data?.referred_by).toEqual(["/r.md#r"]);
  const shelves = { store, runs: memoryRuns({}) };
  expect(await readResource(shelves, `cox://docs/w.md#${slug}`)).toMatchObject({
    contents: [{ text: task }],
  });
});

test("removing a task names the documents that still refer to its id", async () => {
  const operations = [{ operation: "remove" as const, slug: "job-renamed" }];
  const { text } = await call(section, { document: "/w.md", operations }, world());
  expect(text).toContain("#job is gone, but still referred to by /r.md#r");
});

test("a task cannot get a title that makes no slug", async () => {
  const store = world();
  const refused = await call(renameDocumentTool, { document: "/w.md#other", to: "???" }, store);
  expect(refused.codes).toEqual(["SECTION_TITLE"]);
  expect(refused.text).toContain("letters or digits");
  expect((await call(renameDocumentTool, { document: "/w.md#job", to: "???" }, store)).data?.document).toBe(
    "/w.md#job",
  );
  expect((await call(renameDocumentTool, { document: "/r.md#r", to: "???" }, store)).codes).toEqual([]);
});
