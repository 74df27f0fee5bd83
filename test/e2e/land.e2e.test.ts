/** Landing a run on the user's branch, with the real program and real git. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Crew, work } from "./crew.ts";

async function finished(config: readonly string[] = [], ...options: readonly string[]): Promise<Crew> {
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two",
    script: { one: [work("a.txt", "new\n")], two: [work("two.txt")] },
    config: ['verify: "true"', ...config],
    files: { "a.txt": "old\n", "b.txt": "mine\n" },
  });
  const ended = await crew.cox("run", "plan.md", "--yes", ...options);
  expect(ended.exitCode, ended.stderr).toBe(0);
  return crew;
}

const read = ({ root }: Crew, path: string) => readFileSync(join(root, path), "utf8");
const write = ({ root }: Crew, path: string, text: string) => writeFileSync(join(root, path), text);

test("a run lands by fast-forward after a yes; uncommitted work elsewhere is left alone", async () => {
  const crew = await finished();
  write(crew, "b.txt", "my edit\n");
  write(crew, "untracked.txt", "mine\n");
  const shown = await crew.cox("land", "--dry-run", "--json");
  expect(JSON.parse(shown.stdout)).toMatchObject({
    ok: true,
    plan: {
      branch: "main",
      how: "fast-forward",
      files: [
        { path: "a.txt", change: "changed" },
        { path: "two.txt", change: "added" },
      ],
    },
  });
  expect(await crew.cox("land")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("NEEDS_YES") });
  expect(read(crew, "a.txt")).toBe("old\n");

  const landed = await crew.cox("land", "--yes");
  expect(landed.exitCode, landed.stderr).toBe(0);
  expect(read(crew, "a.txt")).toBe("new\n");
  expect(read(crew, "b.txt")).toBe("my edit\n");
  expect(crew.git("status", "--porcelain").trim().split("\n").sort()).toEqual([
    "?? untracked.txt",
    "M b.txt",
  ]);
  expect(crew.git("rev-list", "--count", "main").trim()).toBe("3");
  expect(crew.events().at(-1)?.event).toBe("run_landed");
  expect(await crew.cox("land", "--yes")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Nothing to land"),
  });
});

test("a landing names uncommitted work in its way, and changes nothing", async () => {
  const crew = await finished();
  write(crew, "a.txt", "my edit\n");
  expect(await crew.cox("land", "--yes")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/LAND_DIRTY[\s\S]*a\.txt/),
  });
  crew.git("checkout", "-q", "a.txt");
  write(crew, "two.txt", "mine\n");
  const refused = await crew.cox("land", "--yes", "--json");
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, errors: [{ code: "LAND_IN_THE_WAY" }] });
  expect(read(crew, "two.txt")).toBe("mine\n");
  expect(crew.git("rev-list", "--count", "main").trim()).toBe("1");
});

test("a run lands by a merge, announced beforehand, when the user has committed meanwhile", async () => {
  const crew = await finished();
  write(crew, "b.txt", "mine, committed\n");
  crew.git("commit", "-q", "-a", "-m", "mine");
  const shown = await crew.cox("land", "--dry-run");
  expect(shown.stderr).toContain("→ a merge commit with ");
  const landed = await crew.cox("land", "--yes", "--json");
  expect(landed.exitCode, landed.stdout).toBe(0);
  expect(read(crew, "a.txt")).toBe("new\n");
  expect(read(crew, "b.txt")).toBe("mine, committed\n");
  expect(crew.git("log", "-1", "--format=%P", "main").trim().split(" ")).toHaveLength(2);
  expect(crew.git("status", "--porcelain")).toBe("");
});

test("a landing is refused when the run and the user changed one file in conflict, and says how to merge by hand", async () => {
  const crew = await finished();
  write(crew, "a.txt", "mine, committed\n");
  crew.git("commit", "-q", "-a", "-m", "mine");
  expect(await crew.cox("land", "--yes")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/LAND_CONFLICT[\s\S]*a\.txt[\s\S]*git merge cox\//),
  });
});

test("`land: auto` lands a clean fast-forward at the end of the run, and otherwise says why not", async () => {
  const crew = await finished(["land: auto"]);
  expect(read(crew, "a.txt")).toBe("new\n");
  expect(crew.events().at(-1)?.event).toBe("run_landed");

  const other = new Crew({
    tasks: "- [ ] one",
    script: { one: [work("a.txt", "new\n")] },
    config: ['verify: "true"', "land: auto"],
    files: { "a.txt": "old\n" },
  });
  write(other, "a.txt", "my edit\n");
  const ended = await other.cox("run", "plan.md", "--yes");
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("a.txt") });
  expect(read(other, "a.txt")).toBe("my edit\n");
});

test("cox gc removes old desks; the newest run and unfinished runs keep theirs, and all branches and logs stay", async () => {
  const crew = await finished();
  const shown = JSON.parse((await crew.cox("gc", "--keep", "0", "--dry-run", "--json")).stdout);
  expect(shown).toMatchObject({ ok: true, dry_run: true, kept_runs: [] });
  expect(shown.refs.length).toBeGreaterThan(0);
  expect(JSON.parse((await crew.cox("gc", "--json")).stdout)).toMatchObject({ refs: [] });
  const removed = JSON.parse((await crew.cox("gc", "--keep", "0", "--json")).stdout);
  expect(removed.refs).toEqual(shown.refs);
  expect(crew.git("for-each-ref", "refs/coxswain")).toBe("");
  expect(crew.git("branch", "--list", "cox/*").trim()).not.toBe("");
  expect(crew.events().length).toBeGreaterThan(0);
  expect((await crew.cox("land", "--yes")).exitCode).toBe(0);
});
