import { expect, test } from "vitest";
import { call } from "../../test/document/call.ts";
import { SmallStore } from "../../test/document/small-store.ts";
import { section } from "./section.ts";

const spec =
  "# Spec\n\nIntro.\n\n## Limits\n\n100 per minute.\n\n## Tasks\n\n### Build\n\n- Status: completed\n- Note: found much\n\n### Ship\n\n- Id: send\n- Status: in_progress\n";
const world = () => new SmallStore({ "/spec.md": spec, "/plain.md": "# Plain\n\nText.\n" });
type Operations = Parameters<typeof section.call>[0]["operations"];

test("replace without a section takes no section away, and names both ways to go on", async () => {
  const store = world();
  const operations: Operations = [{ operation: "replace", content: "New intro." }];
  const refused = await call(section, { document: "/spec.md", operations }, store);
  expect(refused.codes).toEqual(["SECTION_ARGUMENT"]);
  expect(refused.text).toContain("would take away 4 sections");
  expect(refused.text).toContain("replace_text");
  expect(refused.text).toContain('"slug": "spec"');
  expect(store.text("/spec.md")).toBe(spec);
  const intro: Operations = [{ operation: "replace_text", content: "New intro." }];
  expect((await call(section, { document: "/spec.md", operations: intro }, store)).codes).toEqual([]);
  expect(store.text("/spec.md")).toBe(spec.replace("Intro.", "New intro."));
  await call(section, { document: "/plain.md", operations }, store);
  expect(store.text("/plain.md")).toBe("# Plain\n\nNew intro.\n");
});

test("tasks that go with a section are named with how far they were", async () => {
  const store = world();
  const operations: Operations = [{ operation: "replace", slug: "spec", content: "All new." }];
  const { text } = await call(section, { document: "/spec.md", operations }, store);
  expect(text).toContain("Removed #limits, #tasks, #build, #ship");
  expect(text).toContain("Tasks that went: #build (completed), #send (in_progress)");
  expect(store.history().at(-1)?.about).toBe(
    "replaced #spec; with it went #limits, #tasks, #build, #ship, #send",
  );
});

test("the history says what was done to which section", async () => {
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

test("removing all of a document is left to delete_document", async () => {
  const store = world();
  const operations: Operations = [{ operation: "remove", slug: "spec" }];
  const refused = await call(section, { document: "/spec.md", operations }, store);
  expect(refused.codes).toEqual(["SECTION_LAST"]);
  expect(refused.text).toContain("delete_document");
});
