import { expect, test } from "vitest";
import { call } from "../../../../test/document/call.ts";
import { SmallStore } from "../../../../test/document/small-store.ts";
import { RememberingStore } from "../../../document/remembering-store.ts";
import { SeenDocuments } from "../../../document/seen-documents.ts";
import { section } from "./section.ts";
import { viewDocument } from "./view-document.ts";

const spec =
  "# Spec\n\nIntro.\n\n## Limits\n\n100 per minute.\n\n## Tasks\n\n### Build\n\n- Status: completed\n- Note: found much\n\n### Ship\n\n- Id: send\n- Status: in_progress\n";
const world = () => new SmallStore({ "/spec.md": spec, "/plain.md": "# Plain\n\nText.\n" });
type Operations = Parameters<typeof section.call>[0]["operations"];

const replaced: Operations = [{ operation: "replace", slug: "limits", content: "200." }];

function client(store: SmallStore) {
  const seen = new SeenDocuments();
  const own = new RememberingStore(store, seen);
  const edit = (operations: Operations, hash?: string) =>
    call(section, { document: "/spec.md", operations, ...(hash !== undefined && { hash }) }, own, seen);
  const view = (document: string) => call(viewDocument, { document }, own, seen);
  return { edit, view };
}

function edited(store: SmallStore) {
  store.put("/spec.md", (store.text("/spec.md") ?? "").replace("100 per minute.", "10 for guests."));
}

test("a section that a person changed since the client read it is not overwritten", async () => {
  const store = world();
  const { edit, view } = client(store);
  await view("/spec.md");
  edited(store);
  for (const operation of [
    ...replaced,
    { operation: "remove" as const, slug: "limits" },
    { operation: "replace_text" as const, slug: "limits", content: "200." },
    { operation: "replace" as const, slug: "spec", content: "200." },
  ]) {
    const refused = await edit([operation]);
    expect(refused.codes).toEqual(["SECTION_CHANGED"]);
    expect(refused.text).toContain("10 for guests.");
  }
  const { text } = await edit(replaced);
  expect((await edit(replaced, /"hash": "(\w+)"/.exec(text)?.[1])).codes).toEqual([]);
  expect(store.text("/spec.md")).toContain("200.");
});

test("a mistake in a section operation is reported before a change by others", async () => {
  const store = world();
  const { edit, view } = client(store);
  await view("/spec.md");
  edited(store);
  expect((await edit([{ operation: "remove" }])).codes).toEqual(["SECTION_ARGUMENT"]);
});

test("a client that reads a changed section again may replace it", async () => {
  const store = world();
  const { edit, view } = client(store);
  await view("/spec.md");
  edited(store);
  await view("/spec.md#limits");
  expect((await edit(replaced)).codes).toEqual([]);
});

test.each<[string, (it: ReturnType<typeof client>) => Promise<unknown>]>([
  ["reads another section", ({ view }) => view("/spec.md#tasks")],
  ["writes another section", ({ edit }) => edit([{ operation: "append", slug: "build", content: "x" }])],
  [
    "adds a section beside it",
    ({ edit }) => edit([{ operation: "insert_after", slug: "limits", title: "x" }]),
  ],
  ["appends to it unread", ({ edit }) => edit([{ operation: "append", slug: "limits", content: "x" }])],
])("a client that %s has still not read the changed section", async (_what, act) => {
  const store = world();
  const it = client(store);
  await it.view("/spec.md");
  edited(store);
  await act(it);
  expect((await it.edit(replaced)).codes).toEqual(["SECTION_CHANGED"]);
});

test("a client's own edits, and changes elsewhere in the document, do not block its next edit", async () => {
  const store = world();
  const { edit, view } = client(store);
  await view("/spec.md");
  await edit(replaced);
  await edit([{ operation: "append_child", slug: "limits", title: "Guests", content: "None." }]);
  store.put("/spec.md", (store.text("/spec.md") ?? "").replace("Intro.", "Another intro."));
  expect((await edit(replaced)).codes).toEqual([]);
  expect(store.text("/spec.md")).toContain("## Limits\n\n200.\n\n## Tasks");
});

test("a section is not replaced if somebody added a sub-section that the client has not read", async () => {
  const store = world();
  const { edit, view } = client(store);
  await view("/spec.md");
  store.put("/spec.md", spec.replace("## Tasks", "### Guests\n\n10.\n\n## Tasks"));
  expect((await edit(replaced)).codes).toEqual(["SECTION_CHANGED"]);
});

test("a client that never read the document may edit it without a warning", async () => {
  const store = world();
  edited(store);
  expect((await client(store).edit(replaced)).codes).toEqual([]);
});

test("replace without a section never removes sections, and names both ways to continue", async () => {
  const store = world();
  const operations: Operations = [{ operation: "replace", content: "New intro." }];
  const refused = await call(section, { document: "/spec.md", operations }, store);
  expect(refused.codes).toEqual(["SECTION_ARGUMENT"]);
  expect(refused.text).toContain("would remove 4 sections");
  expect(refused.text).toContain("replace_text");
  expect(refused.text).toContain('"slug": "spec"');
  expect(store.text("/spec.md")).toBe(spec);
  const intro: Operations = [{ operation: "replace_text", content: "New intro." }];
  expect((await call(section, { document: "/spec.md", operations: intro }, store)).codes).toEqual([]);
  expect(store.text("/spec.md")).toBe(spec.replace("Intro.", "New intro."));
  await call(section, { document: "/plain.md", operations }, store);
  expect(store.text("/plain.md")).toBe("# Plain\n\nNew intro.\n");
});

test("tasks removed with a section are named with their status", async () => {
  const store = world();
  const operations: Operations = [{ operation: "replace", slug: "spec", content: "All new." }];
  const { text } = await call(section, { document: "/spec.md", operations }, store);
  expect(text).toContain("Removed #limits, #tasks, #build, #ship");
  expect(text).toContain("Removed tasks: #build (completed), #send (in_progress)");
  expect(store.history().at(-1)?.about).toBe(
    "replaced #spec; with it went #limits, #tasks, #build, #ship, #send",
  );
});

test("the history of documents says what was done to which section", async () => {
  const store = world();
  const operations: Operations = [
    { operation: "replace", slug: "limits", content: "200." },
    { operation: "append_child", slug: "spec", title: "More" },
    { operation: "rename", slug: "limits", title: "Rates" },
    { operation: "remove", slug: "build" },
  ];
  await call(section, { document: "/spec.md", operations }, store);
  expect(store.history().at(-1)?.about).toBe(
    "replaced #limits, added #more in #spec, renamed #limits to #rates, removed #build",
  );
});

test("removing all sections of a document is refused in favour of delete_document", async () => {
  const store = world();
  const operations: Operations = [{ operation: "remove", slug: "spec" }];
  const refused = await call(section, { document: "/spec.md", operations }, store);
  expect(refused.codes).toEqual(["SECTION_LAST"]);
  expect(refused.text).toContain("delete_document");
});
