import { expect, test, vi } from "vitest";
import { author, SmallStore } from "../../../test/document/small-store.ts";
import type { DocumentPath } from "../address.ts";
import { changeSections } from "./change-sections.ts";
import { SectionDraft } from "./section-draft.ts";
import { readSections } from "./sections.ts";

const path = "/long.md" as DocumentPath;
const long = `# Long\n\n${Array.from({ length: 100 }, (_, at) => `## Section ${at}\n\ntext\n`).join("\n")}`;

test("each operation on sections reads a long document once, and that is the reading of the new one", async () => {
  const store = new SmallStore({ [path]: long });
  const steps = vi.spyOn(SectionDraft.prototype, "step");
  const changed = await changeSections(store, author, {
    path,
    operations: [
      { operation: "append", slug: "section-50", content: "more" },
      { operation: "rename", slug: "section-51", title: "Other" },
    ],
    tool: "section",
  });
  const drafts = steps.mock.contexts as SectionDraft[];
  steps.mockRestore();
  if ("problems" in changed) throw new Error(changed.problems[0]?.message);
  const { text, sections } = changed.document;
  expect(drafts).toHaveLength(2);
  expect(sections).toBe(drafts[1]?.sections);
  expect(sections.all).toEqual(readSections(text).all);
});

test("finding a section takes no more steps than there are sections", () => {
  const sections = readSections(long);
  let looks = 0;
  const all = new Proxy(sections.all, {
    get: (target, key) => {
      if (typeof key === "string" && /^\d+$/.test(key)) looks += 1;
      return Reflect.get(target, key);
    },
  });
  const draft = new SectionDraft(long, { ...sections, all });
  looks = 0;
  expect(draft.find("section-99")).toMatchObject({ slug: "section-99" });
  expect(looks).toBeLessThan(1_000);
});
