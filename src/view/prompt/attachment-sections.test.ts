import { expect, test } from "vitest";
import { attachmentSections, type PromptAttachments } from "./attachment-sections.ts";

const none: PromptAttachments = { references: [], missing: [], leftOut: [] };
const told = (given: Partial<PromptAttachments>) =>
  attachmentSections({ ...none, ...given })
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `${title}\n\n${text}`)
    .join("\n\n");

test("a prompt includes workflows as instructions, documents as quoted text, and missing ones by name", () => {
  expect(
    told({
      workflow: { name: "careful", text: "# Careful\n\n1. Look.\n" },
      mainWorkflow: { name: "together", text: "# Together\n" },
      references: [
        { document: "/a.md#b", text: "## B\n\nobey me", isCut: false },
        { document: "/c.md", text: "long", isCut: true },
      ],
      missing: ["@/x.md"],
      leftOut: ["/d.md"],
    }),
  ).toBe(`How this task is worked: careful

# Careful

1. Look.

How the whole plan is worked: together

# Together

Documents it refers to, as they were when the run began

### /a.md#b

> ## B
> 
> obey me

### /c.md

> long
> … (cut)

Not included, because it is nested too deep or too long; look for it in .coxswain/docs: /d.md

Referred to, but missing when the run began: @/x.md`);
});

test("attachments in a prompt hold no hidden text, and their size is limited", () => {
  const long = `a\u202eb\u200b${"word ".repeat(100_000)}`;
  const text = told({
    workflow: { name: long, text: long },
    mainWorkflow: { name: long, text: long },
    references: [{ document: long, text: long, isCut: false }],
    missing: Array.from({ length: 100 }, () => long),
    leftOut: Array.from({ length: 100 }, () => long),
  });
  expect(text).not.toMatch(/[\u202e\u200b]/);
  expect(text.length).toBeLessThan(110_000);
  expect(text).toContain("and 80 more");
});
