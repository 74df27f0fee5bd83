/** The real program on tasks: the coordinator's list from its first task to the archive, and tasks of documents. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DocumentPath } from "../../src/document/address.ts";
import { FileStore } from "../../src/document-store/file-store.ts";
import { startTask } from "../../src/task/work/start-task.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { nodeClock } from "../../src/world/time/clock.ts";
import { folderWith } from "./folder.ts";
import { cox } from "./program.ts";

function place(files: Readonly<Record<string, string>> = {}) {
  const folder = folderWith(files);
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), CI: "1" };
  return {
    folder,
    read: (path: string) => readFileSync(join(folder, ".coxswain", path), "utf8"),
    task: (args: readonly string[], { stdin = "", more = {} } = {}) =>
      cox(["task", ...args], { cwd: folder, env: { ...env, ...more }, stdin }),
    approve: (...args: string[]) => cox(["approve", ...args], { cwd: folder, env }),
  };
}

test("cox task works through a list from its first task to its archive", async () => {
  const { task, folder, read } = place();
  expect(await task(["list"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("has no tasks"),
  });
  const without = await task(["add", "Find the leak"]);
  expect(without).toMatchObject({ exitCode: 1, stdout: "" });
  expect(without.stderr).toContain("--main-workflow");
  expect(existsSync(join(folder, ".coxswain/coordinator"))).toBe(false);

  expect((await task(["add", "Find the leak", "--main-workflow", "bug-hunt"])).exitCode).toBe(0);
  expect((await task(["add", "Fix it", "--content", "-"], { stdin: "It leaks.\n" })).exitCode).toBe(0);
  const started = await task(["start"]);
  expect(started.stdout).toContain("# Main-Workflow: bug-hunt");
  expect((await task(["note", "First words\n## not a heading"])).exitCode).toBe(0);
  const done = await task(["done", "--note", "It was the cache."]);
  expect(done.stdout).toContain("as a claim");
  expect(done.stdout).toContain("It leaks.");
  const listed = await task(["list"]);
  expect(listed.stdout).toMatch(/✓ find-the-leak {2}Find the leak {2}.+, claimed\n/);
  expect(listed.stdout).toMatch(/▶ fix-it {9}Fix it {2}.+ since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\n/);
  const last = JSON.parse((await task(["done", "--note", "Fixed.", "--json"])).stdout);
  expect(last).toMatchObject({ ok: true, archived: true, verified: false, task: { slug: "fix-it" } });
  const [archive = ""] = readdirSync(join(folder, ".coxswain/archived/coordinator"));
  expect(last.archived_to).toBe(`/archived/coordinator/${archive}`);
  expect(read(`archived/coordinator/${archive}`)).toContain(
    "- Note:\n  > First words\n  > ## not a heading\n",
  );
  expect(existsSync(join(folder, ".coxswain/coordinator/active.md"))).toBe(false);
});

test("a task with Verify is completed when the command is approved and passes, and not before", async () => {
  const text = "# Api\n\n## Tasks\n\n### Sign tokens\n\n- Verify: test -f signed.txt\n\nDo it.\n";
  const { task, approve, read, folder } = place({ ".coxswain/docs/api.md": text });
  const complete = () => task(["done", "Signed.", "--document", "/docs/api.md#sign-tokens"]);
  const unseen = await complete();
  expect(unseen.exitCode).toBe(3);
  expect(unseen.stderr).toContain("cox approve .coxswain/docs/api.md");
  expect((await approve(".coxswain/docs/api.md")).exitCode).toBe(3);
  expect((await approve(".coxswain/docs/api.md", "--yes")).stdout).toContain("test -f signed.txt  new");
  const failed = await complete();
  expect(failed.exitCode).toBe(1);
  expect(failed.stderr).toContain("VERIFY_FAILED");
  expect(read("docs/api.md")).toBe(text);
  writeFileSync(join(folder, "signed.txt"), "yes\n");
  expect((await complete()).stdout).toContain("its Verify commands passed");
  expect(read("docs/api.md")).toMatch(/- Completed: \S+Z by .+ \(verified\)\n- Note: Signed\.\n/);
});

test("when four people start one task at once, exactly one gets it", async () => {
  const { folder } = place({ ".coxswain/docs/a.md": "# A\n\n## Tasks\n\n### One\n" });
  const address = { path: "/a.md" as DocumentPath, slug: "one" };
  const answers = await Promise.all(
    ["ann", "bob", "cy", "dee"].map(async (name) => {
      const store = FileStore.open({
        files: openFiles(),
        root: folder,
        clock: nodeClock,
        chance: nodeChance,
      });
      const verify = { isTrusted: () => false, run: () => Promise.reject(new Error("nothing is run")) };
      const workflows = { list: () => [], find: () => ({ problem: { code: "", message: "", hint: "" } }) };
      const author = { name, door: "mcp-stdio" } as const;
      const room = { store, workflows, author, verify, signal: new AbortController().signal };
      const answer = await startTask(room, { address });
      await store.close();
      return "problems" in answer ? answer.problems[0]?.code : "got it";
    }),
  );
  expect(answers.toSorted()).toEqual(["LEASE_TAKEN", "LEASE_TAKEN", "LEASE_TAKEN", "got it"]);
});

test.each([
  [["lst"], 2, "Did you mean: cox task list?"],
  [["add"], 2, "the task has no title"],
  [["start", "/a.md#x"], 2, 'cox task start --document "/a.md#x"'],
  [["done", "/a.md#x"], 2, 'cox task done --document "/a.md#x"'],
  [["list", "mine"], 2, "does not take a document or task as an argument"],
  [["start", "--task", "x"], 1, "sequential"],
  [["start", "--document", "/a.md"], 2, "which task"],
  [["start", "--document", "/b.md#x"], 1, ".coxswain/docs/b.md"],
  [["list", "--document", "../x.md"], 2, "PATH_DOTDOT"],
  [["done"], 1, "the note is empty"],
])("cox task %j ends with %i", async (args, code, words) => {
  const ended = await place({ ".coxswain/docs/a.md": "# A\n" }).task(args);
  expect(ended.stderr).toContain(words);
  expect(ended.exitCode).toBe(code);
});

test("cox task inside an agent's turn shows tasks and changes none", async () => {
  const { task, folder } = place();
  const more = { COX_TURN: "t1" };
  expect(await task(["list"], { more })).toMatchObject({ exitCode: 0 });
  const refused = await task(["add", "x"], { more });
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain("AGENT_DECIDES");
  expect(existsSync(join(folder, ".coxswain"))).toBe(false);
});

test("a change of the documents can be shown and undone, and so can the undo", async () => {
  const { task, folder, read } = place({
    ".coxswain/docs/a.md": "# A\n\n## Tasks\n\n### Build it\n\nWith care.\n",
  });
  const run = (...args: string[]) => cox(args, { cwd: folder, env: { HOME: folder, CI: "1" } });
  const before = read("docs/a.md");
  expect((await task(["start", "--document", "/a.md#build-it"])).exitCode).toBe(0);
  const after = read("docs/a.md");
  expect(after).not.toBe(before);
  const shown = await run("log", "--documents", "1");
  expect(shown.stdout).toMatch(
    /^ {3}1 .* started #build-it .*\n\n\/a\.md\n\+\n\+ - Status: in_progress\n\+ - Started: /,
  );
  const undone = await run("undo", "--documents");
  expect(undone.stdout).toMatch(
    /^✓ 1 document put back · change 1 is undone: started #build-it, by .* · redo: cox undo --documents 2\n$/,
  );
  expect(read("docs/a.md")).toBe(before);
  const again = await run("undo", "--documents", "2", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, undone: 2, change: 3, documents: ["/a.md"] });
  expect(read("docs/a.md")).toBe(after);
  writeFileSync(join(folder, ".coxswain/docs/a.md"), "mine\n");
  const refused = await run("undo", "--documents", "3");
  expect([refused.exitCode, read("docs/a.md")]).toEqual([1, "mine\n"]);
  expect(refused.stderr).toContain("UNDO_CHANGED_SINCE");
  for (const wrong of [
    ["undo", "--documents", "x"],
    ["undo", "--documents", "--list"],
    ["log", "--documents", "x"],
  ])
    expect((await run(...wrong)).exitCode).toBe(2);
  expect((await run("log", "--documents", "9")).exitCode).toBe(1);
});

test("a note that looks like a secret is not written down without a yes", async () => {
  const { task, read } = place();
  const secret = `ghp_${"a1".repeat(18)}`;
  expect((await task(["add", "One", "--main-workflow", "bug-hunt"])).exitCode).toBe(0);
  expect((await task(["start"])).exitCode).toBe(0);
  const before = read("coordinator/active.md");
  for (const args of [
    ["note", secret],
    ["done", "--note", secret],
    ["add", "Two", "--content", secret],
  ]) {
    const refused = await task([...args, "--json"]);
    expect(refused.exitCode, refused.stdout).toBe(3);
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, errors: [{ code: "CONTENT_SECRET" }] });
    expect(refused.stdout).not.toContain(secret);
    expect(read("coordinator/active.md")).toBe(before);
  }
  const allowed = await task(["add", "Two", "--content", secret, "--yes"]);
  expect(allowed.exitCode, allowed.stderr).toBe(0);
  expect(read("coordinator/active.md")).toContain(secret);
});
