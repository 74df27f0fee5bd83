import { expect, test } from "vitest";
import { parsePlan } from "../read/parse.ts";
import { fieldSplice } from "./field-edit.ts";
import { applySplices, lineEndOf } from "./splice.ts";

const plan = `# Title

## Tasks

### One

* agent: a   <!-- who -->
* files:
  - x.ts
  - y.ts

Text

### Two
Text directly below.
### Three

**Priority:** high

### Four

Text below a blank line.
`;

function withField(text: string, id: string): string {
  const task = parsePlan(text).plan.tasks.find((one) => one.id === id);
  if (!task) throw new Error(`there is no task ${id}`);
  return applySplices(text, [fieldSplice(text, task, { key: "Needs", value: "#two" }, lineEndOf(text))]);
}

test.each([
  [
    "a field is added below the others in the style of the last one",
    "one",
    "  - y.ts\n* needs: #two\n\nText",
  ],
  ["below a bold field it is bold", "three", "**Priority:** high\n**Needs:** #two\n"],
  ["text directly below the heading is set off", "two", "### Two\n- Needs: #two\n\nText directly"],
  ["a blank line below the heading stays", "four", "### Four\n\n- Needs: #two\n\nText below"],
])("%s", (_what, id, expected) => {
  expect(withField(plan, id)).toContain(expected);
  const windows = plan.replaceAll("\n", "\r\n");
  expect(withField(windows, id)).toBe(withField(plan, id).replaceAll("\n", "\r\n"));
});

test("a new field of a bullet task is indented below it", () => {
  expect(withField("## Tasks\n- [ ] One\n- [X] Two", "one")).toBe(
    "## Tasks\n- [ ] One\n  - Needs: #two\n- [X] Two",
  );
});
