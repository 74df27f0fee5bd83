import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import { packageRoot } from "../../world/files/package-root.ts";
import { loadWorkflows } from "./load-workflows.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const page = (title: string) =>
  `---\ntitle: ${title}\ndescription: Use it for ${title}.\n---\n\n# ${title}\n`;

test("every workflow name that task lists use is shipped, with a sentence on when to use it", () => {
  const workflows = loaded({});
  const names = (kind: string) =>
    workflows
      .list()
      .filter((one) => one.kind === kind)
      .map(({ name }) => name);
  expect(names("main-workflow")).toEqual([
    "bug-hunt",
    "fan-out-review",
    "manual-verification-orchestration",
    "release",
    "safe-refactoring",
    "tdd-incremental-orchestration",
  ]);
  expect(names("workflow")).toEqual([
    "code-review-issue-based",
    "failure-triage-repro",
    "multi-option-tradeoff",
    "spec-first-integration",
  ]);
  expect(workflows.problems()).toEqual([]);
  for (const { name, title, description, text, source } of workflows.list()) {
    expect(description, name).toMatch(/^Use (for|to) .+\.$/);
    expect(text.startsWith(`# ${title}\n`), name).toBe(true);
    expect(source).toBe("shipped");
  }
});

test("every shipped workflow says when, when not, when to stop and ask, and what to note at the end", () => {
  for (const { name, text } of loaded({}).list()) {
    for (const heading of ["When", "When not", "Steps", "Stop and ask", "The completion note"])
      expect(text, name).toContain(`\n## ${heading}\n`);
    expect(text.match(/\*Leaves:\*/g)?.length ?? 0, name).toBeGreaterThanOrEqual(5);
    const lines = text.split("\n");
    expect(lines.length, name).toBeLessThanOrEqual(90);
    expect(Math.max(...lines.map(({ length }) => length)), name).toBeLessThanOrEqual(120);
  }
});

test("a shipped workflow names no workflow that is not shipped", () => {
  const all = loaded({}).list();
  const names = all.map(({ name }) => name);
  for (const { name, text } of all) {
    const told = [...text.matchAll(/(?:Workflow: |`)([a-z]+(?:-[a-z]+)+)`/g)].map(([, one]) => one);
    for (const one of told) expect(names, `${name} names ${one}`).toContain(one);
  }
});

test("the project's workflows win over shipped ones of the same name, and its own are listed too", () => {
  const workflows = loaded({
    "main-workflows/release.md": page("Our way out"),
    "workflows/tidy-up.md": page("Tidy up"),
  });
  expect(found(workflows.find("main-workflow", "release"))).toMatchObject({
    title: "Our way out",
    source: "project",
  });
  expect(found(workflows.find("workflow", "tidy-up"))).toMatchObject({ kind: "workflow" });
  expect(workflows.list().filter(({ name }) => name === "release")).toHaveLength(1);
});

test("a task may follow a main workflow; if two kinds share a name, it gets the one for a single task", () => {
  const workflows = loaded({ "workflows/release.md": page("A small one") });
  expect(found(workflows.find("workflow", "tdd-incremental-orchestration")).kind).toBe("main-workflow");
  expect(found(workflows.find("workflow", "release")).title).toBe("A small one");
  expect(found(workflows.find("main-workflow", "release")).source).toBe("shipped");
});

test("an unknown workflow name is reported with the nearest and with all that exist", () => {
  const { problem } = missing(loaded({}).find("main-workflow", "tdd-incremental-orchestraton"));
  expect(problem.code).toBe("WORKFLOW_UNKNOWN");
  expect(problem.hint).toMatch(/^Did you mean tdd-incremental-orchestration\? There are: bug-hunt, /);
  expect(problem.hint).not.toContain("multi-option-tradeoff");
  expect(missing(loaded({}).find("workflow", "x")).problem.hint).toContain("multi-option-tradeoff");
});

test("a workflow for a single task is no main workflow, and the answer says so", () => {
  const { problem } = missing(loaded({}).find("main-workflow", "multi-option-tradeoff"));
  expect(problem.message).toContain("for a single task");
  expect(problem.hint).toContain("Write it as Workflow");
});

test("an unknown workflow name is shown bounded and without control characters, and the list of names is limited", () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`main-workflows/w${at}.md`, page("Some")]),
  );
  const { problem } = missing(loaded(many).find("main-workflow", `\u001b[2J${"x".repeat(5000)}`));
  expect(problem.message).not.toContain("\u001b");
  expect(problem.message.length).toBeLessThan(300);
  expect(problem.hint).toContain("and 26 more");
});

test.each([
  ["an empty page", "WORKFLOW_EMPTY", (path: string) => writeFileSync(path, "---\ntitle: a\n---\n\n")],
  [
    "bytes that are no text",
    "WORKFLOW_NOT_UTF8",
    (path: string) => writeFileSync(path, new Uint8Array([255, 254])),
  ],
  ["a link", "PATH_SYMLINK", (path: string) => symlinkSync("/etc/passwd", path)],
  ["a folder", "PATH_IS_DIRECTORY", (path: string) => mkdirSync(path)],
  [
    "a page that is too long",
    "LIMIT_FILE",
    (path: string) => writeFileSync(path, "x".repeat(256 * 1024 + 1)),
  ],
])(
  "among workflows, %s is reported, and hides neither the others nor the shipped one of its name",
  (_what, code, make) => {
    const root = projectWith({ "workflows/good.md": page("Good") });
    make(join(root, ".coxswain/workflows/multi-option-tradeoff.md"));
    const workflows = loadWorkflows(openFiles(), { root, packageRoot: packageRoot() });
    expect(workflows.problems().map((problem) => problem.code)).toEqual([code]);
    expect(found(workflows.find("workflow", "good")).title).toBe("Good");
    expect(found(workflows.find("workflow", "multi-option-tradeoff")).source).toBe("shipped");
  },
);

test("a workflow name that does not fit into a field is reported", () => {
  const workflows = loaded({ "workflows/two words.md": page("Two"), "workflows/.hidden.md": page("Hidden") });
  expect(workflows.problems()).toMatchObject([{ code: "WORKFLOW_BAD_NAME" }]);
});

test("a workflow with a bad front matter is still read, and the mistake has its line", () => {
  const workflows = loaded({ "workflows/odd.md": "---\n- title\n---\n# Odd but useful\n\nDo it.\n" });
  expect(found(workflows.find("workflow", "odd"))).toMatchObject({
    title: "Odd but useful",
    description: "",
    text: "# Odd but useful\n\nDo it.\n",
  });
  expect(workflows.problems()[0]).toMatchObject({ code: "WORKFLOW_BAD_YAML" });
  expect(workflows.problems()[0]?.message).toMatch(/^\.coxswain\/workflows\/odd\.md, line \d+: /);
});

test("a workflow without front matter has its first heading as title, else its name", () => {
  const workflows = loaded({ "workflows/a.md": "Just do it.\n", "workflows/b.md": "# Bee\n" });
  expect(found(workflows.find("workflow", "a")).title).toBe("a");
  expect(found(workflows.find("workflow", "b")).title).toBe("Bee");
});

test("a new, changed or removed workflow is noticed; an unchanged one is not read again", () => {
  const root = projectWith({ "workflows/a.md": page("One") });
  const workflows = loadWorkflows(openFiles(), { root, packageRoot: packageRoot() });
  const path = join(root, ".coxswain/workflows/a.md");
  const first = found(workflows.find("workflow", "a"));
  expect(found(workflows.find("workflow", "a"))).toBe(first);
  writeFileSync(path, page("Two"));
  utimesSync(path, 1, 1);
  expect(found(workflows.find("workflow", "a")).title).toBe("Two");
  writeFileSync(join(root, ".coxswain/workflows/b.md"), page("New"));
  expect(found(workflows.find("workflow", "b")).title).toBe("New");
  rmSync(path);
  expect(missing(workflows.find("workflow", "a")).problem.code).toBe("WORKFLOW_UNKNOWN");
});

test("a shipped workflow is read from disk once", () => {
  const root = projectWith({});
  const files = openFiles();
  const roots: string[] = [];
  const openRoot = (path: string) => {
    roots.push(path);
    return files.openRoot(path);
  };
  const workflows = loadWorkflows({ ...files, openRoot }, { root, packageRoot: packageRoot() });
  const first = found(workflows.find("main-workflow", "release"));
  for (let round = 0; round < 5; round++)
    expect(found(workflows.find("main-workflow", "release"))).toBe(first);
  expect(roots.filter((path) => path === packageRoot())).toHaveLength(1);
});

test("looking for workflows leaves no file open", () => {
  const workflows = loaded({ "workflows/a.md": page("One") });
  workflows.list();
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let round = 0; round < 20; round++) workflows.find("workflow", "a");
  expect(open()).toBe(before);
});

function loaded(files: Readonly<Record<string, string>>) {
  return loadWorkflows(openFiles(), { root: projectWith(files), packageRoot: packageRoot() });
}

function projectWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "cox-workflows-"));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    const at = join(root, ".coxswain", path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
  return root;
}

type Found = ReturnType<ReturnType<typeof loadWorkflows>["find"]>;

function found(answer: Found) {
  if ("problem" in answer) throw new Error(answer.problem.message);
  return answer.workflow;
}

function missing(answer: Found) {
  if ("workflow" in answer) throw new Error(`${answer.workflow.name} is there`);
  return answer;
}
