import { expect, test } from "vitest";
import { SmallStore } from "../../../test/document/small-store.ts";
import { readConfig } from "../../config/file/read-config.ts";
import { defaultSettings } from "../../config/settings/default-settings.ts";
import { effectiveSettings } from "../../config/settings/effective-settings.ts";
import type { TaskId } from "../../plan/plan.ts";
import { placedProblems } from "../../plan/problem.ts";
import { parsePlan } from "../../plan/read/parse.ts";
import type { Workflows } from "../../task/workflow/workflows.ts";
import { attachmentsText, readAttachments } from "./attachments.ts";
import { collectAttachments } from "./collect-attachments.ts";

const pages: Readonly<Record<string, string>> = {
  "workflow careful": "# Careful\n",
  "main-workflow together": "# Together\n",
};

const workflows: Workflows = {
  list: () => [],
  find(field, name) {
    const text = pages[`${field} ${name}`];
    if (text === undefined) return { problem: { code: "WORKFLOW_UNKNOWN", message: name, hint: "" } };
    return { workflow: { name, kind: field, title: "", description: "", text, source: "project" } };
  },
};

function attached(text: string, { documents = {}, config = "" } = {}) {
  const { plan } = parsePlan(text);
  const said = { plan: plan.settings, config: readConfig(config).config.settings };
  const settings = effectiveSettings({ defaults: defaultSettings, ...said });
  const library = new SmallStore(documents);
  const texts = { plan: text, config };
  const { attachments, problems } = collectAttachments({ plan, texts, settings, workflows, library });
  const kept = attachmentsText(attachments);
  const tasks = kept === undefined ? new Map() : readAttachments(kept);
  const placed = (source: string, whole: string) =>
    placedProblems(
      whole,
      problems.filter((one) => one.source === source),
    ).map(({ code, severity, line, column, hint }) => ({
      at: `${source}:${line}:${column}`,
      code,
      severity,
      hint,
    }));
  return {
    task: (id: string) => tasks.get(id as TaskId),
    texts: attachments.texts,
    kept,
    problems: [...placed("plan", text), ...placed("config", config)],
  };
}

const none = { references: [], missing: [], leftOut: [] };

test("a task has its own workflow, the plan's, and the documents that it and the overview refer to", () => {
  const { task, problems } = attached(
    "---\nmain-workflow: together\n---\n# P\n\nSee @/all.md.\n\n## Tasks\n\n### One\n\n- Workflow: careful\n\nAs in @/specs/a.md#errors\n\n### Two\n",
    {
      documents: {
        "/all.md": "# All\n\nfor everybody\n",
        "/specs/a.md": "# A\n\n## Errors\n\n404\n\n## Rest\n\nsecret\n",
      },
    },
  );
  const all = { document: "/all.md", text: "# All\n\nfor everybody", isCut: false };
  expect(task("one")).toEqual({
    ...none,
    workflow: { name: "careful", text: "# Careful\n" },
    mainWorkflow: { name: "together", text: "# Together\n" },
    references: [{ document: "/specs/a.md#errors", text: "## Errors\n\n404", isCut: false }, all],
  });
  expect(task("two")).toEqual({
    ...none,
    mainWorkflow: { name: "together", text: "# Together\n" },
    references: [all],
  });
  expect(problems).toEqual([]);
});

test("an attachment of many tasks is stored once", () => {
  const bullets = Array.from(
    { length: 50 },
    (_, n) => `- [ ] task ${n} as in @/a.md\n  - workflow: careful\n`,
  );
  const { texts, task } = attached(`## Tasks\n${bullets.join("")}`, { documents: { "/a.md": "# A\n" } });
  expect(texts).toEqual(["# Careful\n", "# A"]);
  expect(task("task-49-as-in-amd")).toMatchObject({ workflow: { name: "careful" } });
});

test("without workflows or references no attachment is stored, nor for tasks that are done", () => {
  expect(attached("## Tasks\n- [ ] one\n").kept).toBeUndefined();
  const done = attached("## Tasks\n- [x] one\n  - workflow: nobody\n");
  expect(done.kept).toBeUndefined();
  expect(done.problems).toEqual([]);
});

test.each<[string, string, string, string]>([
  ["on the task", "## Tasks\n- [ ] one\n  - workflow: carefull\n", "", "plan:3:15"],
  [
    "at the top of the plan, once",
    "---\nworkflow: x\n---\n## Tasks\n- [ ] one\n- [ ] two\n",
    "",
    "plan:2:11",
  ],
  ["in the configuration", "## Tasks\n- [ ] one\n", "verify: x\nmain_workflow: careful\n", "config:2:16"],
])("an unknown workflow %s stops the run, and is reported at its place", (_where, text, config, at) => {
  const { problems } = attached(text, { config });
  expect(problems).toMatchObject([{ at, code: "WORKFLOW_UNKNOWN", severity: "blocking" }]);
});

test.each<[string, string, string]>([
  ["a document", "@/spec/user.md", "Did you mean @/specs/user.md?"],
  ["a section", "@/specs/user.md#eror", "Did you mean @/specs/user.md#error?"],
  [
    "nothing like it",
    "@/x.md",
    "Write the document .coxswain/docs/x.md, or remove the reference; in backticks it is not a reference.",
  ],
  ["no name of a document", "@/x", "Documents are named like this: /x.md"],
])("a reference to %s that is not there is warned of, with what to write", (_what, reference, hint) => {
  const { problems, task } = attached(`## Tasks\n\n### One\n\nSee ${reference}\n`, {
    documents: { "/specs/user.md": "# U\n\n## Error\n" },
  });
  expect(problems).toEqual([{ at: "plan:5:5", code: "REFERENCE_MISSING", severity: "warning", hint }]);
  expect(task("one")).toEqual({ ...none, missing: [reference] });
});

test("a task gets at most some forty thousand bytes of documents, and is told what was left out", () => {
  const long = `# L\n\n${"a line of words\n".repeat(2500)}`;
  const { task } = attached("## Tasks\n\n### One\n\n@/a.md @/b.md @/c.md\n", {
    documents: { "/a.md": long, "/b.md": `${long}b`, "/c.md": long.replace("L", "C") },
  });
  const { references, leftOut } = task("one") ?? none;
  const cut = ["/a.md", "/b.md", "/c.md"].map((document) => ({ document, isCut: true }));
  expect(references).toMatchObject(cut);
  for (const at of [0, 1, 2]) expect(references[at]?.text.length).toBeLessThanOrEqual(40_000 / 3);
  expect(leftOut).toEqual([]);
});

test("the attachments of a run together are limited, and what lies beyond is named", () => {
  const line = "a line of words that is somewhat longer than others\n";
  const names = Array.from({ length: 900 }, (_, n) => `d${n}`);
  const documents = Object.fromEntries(
    names.map((name) => [`/${name}.md`, `# ${name}\n\n${line.repeat(750)}`]),
  );
  const tasks = names.map((name) => `### ${name}\n\nSee @/${name}.md\n`);
  const { texts, task } = attached(`## Tasks\n\n${tasks.join("\n")}`, { documents });
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  expect(length).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(length).toBeGreaterThan(31 * 1024 * 1024);
  expect(task("d0")).toMatchObject({ references: [{ document: "/d0.md" }], leftOut: [] });
  expect(task("d899")).toEqual({ ...none, leftOut: ["/d899.md"] });
});
