/**
 * A landing that git's own locks stop, or that is killed between files and index: what is reported, and what finishes
 * it.
 */
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Crew, work } from "./crew.ts";

async function finished(): Promise<Crew> {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [work("a.txt", "new\n")] },
    config: ['verify: "true"'],
    files: { "a.txt": "old\n", "b.txt": "mine\n" },
  });
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(0);
  return crew;
}

const lockOf = ({ root }: Crew) => join(root, ".git/index.lock");

/** A git that does something else before it moves the index, as an editor might at that moment. */
function meddling(crew: Crew, what: string) {
  const { PATH = "" } = process.env;
  const git = join(crew.home, "git");
  writeFileSync(
    git,
    `#!/bin/sh\ncase " $* " in *" read-tree -i "*) ${what};; esac\nPATH='${PATH}' exec git "$@"\n`,
  );
  chmodSync(git, 0o755);
  return crew.with({ env: { PATH: `${crew.home}:${PATH}` } });
}

/** The files are updated, the index and the branch are not. */
async function interrupted(crew: Crew): Promise<void> {
  await meddling(crew, "kill -9 $PPID; exit 1").cox("land", "--yes");
  expect(crew.read("a.txt")).toBe("new\n");
  expect(crew.git("rev-list", "--count", "main")).toBe("1");
}

test("a landing waits a little for an index that is locked, then names it before anything is changed", async () => {
  const crew = await finished();
  writeFileSync(lockOf(crew), "");
  const refused = await crew.cox("land", "--yes");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/GIT_INDEX_LOCKED[\s\S]*\.git\/index\.lock[\s\S]*rm "\.git\/index\.lock"/);
  expect(crew.read("a.txt")).toBe("old\n");
  expect(crew.eventsOf("landing_prepared")).toEqual([]);

  const waiting = crew.cox("land", "--yes");
  setTimeout(() => rmSync(lockOf(crew)), 700);
  expect(await waiting).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("landed") });
});

test("a landing whose index is locked in between puts the files back, and can be tried again", async () => {
  const crew = await finished();
  const refused = await meddling(crew, `: > '${lockOf(crew)}'`).cox("land", "--yes");
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/GIT_INDEX_LOCKED[\s\S]*the files were restored/),
  });
  rmSync(lockOf(crew));
  expect(crew.read("a.txt")).toBe("old\n");
  expect(crew.git("status", "--porcelain")).toBe("");
  expect(crew.events().at(-1)?.event).toBe("landing_undone");

  expect(await crew.cox("land", "--yes")).toMatchObject({ exitCode: 0 });
  expect(crew.read("a.txt")).toBe("new\n");
  expect(crew.git("status", "--porcelain")).toBe("");
});

test("a landing does not put back files that somebody changed meanwhile; it says so, and a later `cox land` finishes it", async () => {
  const crew = await finished();
  const meddles = `: > '${lockOf(crew)}'; echo more >> a.txt`;
  const half = await meddling(crew, meddles).cox("land", "--yes");
  expect(half.exitCode).toBe(5);
  expect(half.stderr).toMatch(
    /GIT_INDEX_LOCKED[\s\S]*the files of the landing are in your checkout[\s\S]*a\.txt/,
  );
  rmSync(lockOf(crew));
  const finishing = await crew.cox("land", "--yes");
  expect(finishing.stdout).toContain("the interrupted landing was finished: main is at ");
  expect(crew.git("status", "--porcelain")).toBe(" M a.txt");
});

test("`cox status` shows an interrupted landing, and the command that finishes it says so", async () => {
  const crew = await finished();
  await interrupted(crew);
  expect((await crew.cox("status")).stdout).toMatch(/landing interrupted[\s\S]*cox land/);

  writeFileSync(lockOf(crew), "");
  const blocked = await crew.cox("land", "--yes");
  expect(blocked.exitCode).toBe(5);
  expect(blocked.stderr).toMatch(
    /GIT_INDEX_LOCKED[\s\S]*a landing was interrupted: its files are in your checkout/,
  );
  rmSync(lockOf(crew));

  const done = await crew.cox("land", "--yes");
  expect(done).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("the interrupted landing was finished: main is at "),
  });
  expect(crew.git("status", "--porcelain")).toBe("");
  expect((await crew.cox("status")).stdout).toContain("landed on main");
});

test("a user who commits by hand after an interrupted landing keeps the work, and the run is not stuck", async () => {
  const crew = await finished();
  await interrupted(crew);
  crew.commitAll("mine now");
  const next = await crew.cox("land", "--yes");
  expect(next.stderr).toContain("the interrupted landing was given up");
  expect(next.exitCode, next.stderr).toBe(0);
  expect(crew.read("a.txt")).toBe("new\n");
  expect(crew.git("status", "--porcelain")).toBe("");
  expect(existsSync(lockOf(crew))).toBe(false);
});

test("`cox undo` does not undo a landing, and the git revert that it names does", async () => {
  const crew = await finished();
  expect((await crew.cox("land", "--yes")).exitCode).toBe(0);
  const [forward, revert] = await undoHint(crew);
  expect(forward).toContain("UNDO_LANDING");
  expect(revert).toMatch(/^git revert \w+\.\.\w+$/);
  expect(crew.read("a.txt")).toBe("new\n");
  crew.git("revert", "--no-edit", ...revert.split(" ").slice(2));
  expect(crew.read("a.txt")).toBe("old\n");
});

test("a landing by a merge is undone by reverting the merge", async () => {
  const crew = await finished();
  crew.write({ "b.txt": "mine, committed\n" });
  crew.commitAll("mine");
  expect((await crew.cox("land", "--yes")).exitCode).toBe(0);
  const [, revert] = await undoHint(crew);
  expect(revert).toMatch(/^git revert -m 1 \w+$/);
  crew.git("revert", "--no-edit", ...revert.split(" ").slice(2));
  expect([crew.read("a.txt"), crew.read("b.txt")]).toEqual(["old\n", "mine, committed\n"]);
});

async function undoHint(crew: Crew): Promise<[said: string, revert: string]> {
  const refused = await crew.cox("undo");
  expect(refused.exitCode).toBe(1);
  return [refused.stderr, /git revert [^–]*\w/.exec(refused.stderr)?.[0] ?? ""];
}
