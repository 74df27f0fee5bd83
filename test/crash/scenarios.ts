/** The scenarios that are cut short. Each reaches a part of the protocol that the others do not. */
import type { Scenario } from "./scenario.ts";

export const singleChangesets: readonly Scenario[] = [
  {
    name: "the first changeset ever",
    nestedShare: 0.14,
    before: { "kept.txt": "kept" },
    steps: [{ id: "one", files: { "a.txt": "a", "new/deep/b.txt": "b" } }],
  },
  {
    name: "create, edit and delete at once",
    nestedShare: 0.08,
    before: { "src/edit.txt": "old text", "src/gone.txt": "to go", "kept.txt": "kept" },
    steps: [
      { id: "one", files: { "src/edit.txt": "new text!", "src/gone.txt": undefined, "src/new.txt": "new" } },
    ],
  },
];

export const sequences: readonly Scenario[] = [
  {
    name: "two changesets and an undo",
    nestedShare: 0.026,
    before: { "a.txt": "first" },
    steps: [
      { id: "one", files: { "a.txt": "second", "x/b.txt": "b" } },
      { id: "two", files: { "a.txt": "third" } },
      "undo",
    ],
  },
  {
    name: "undo of new folders and of a delete",
    nestedShare: 0.055,
    before: { "old/gone.txt": "to go" },
    steps: [{ id: "one", files: { "new/deep/a.txt": "a", "old/gone.txt": undefined } }, "undo"],
  },
];
