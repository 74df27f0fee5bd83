import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CommitId, commitId, type TreeId } from "../std/object-id.ts";
import { filesIn, put, type RealWorld, realWorld } from "./real-world.contract.ts";
import { changeLines, startFiles, unfitPaths } from "./repository.contract.ts";
import type { Desk, Repository } from "./repository.ts";

let world: RealWorld;
let repository: Repository;
let base: CommitId;
let tree: TreeId;

async function start(options?: Parameters<typeof realWorld>[0]): Promise<void> {
  await world?.end();
  world = await realWorld(options);
  ({ repository } = world);
  base = (await repository.head()).commit;
  tree = await repository.treeOf(base);
}

beforeEach(() => start());
afterEach(() => world.end());

const open = (name = "a", keep = false) => repository.openDesk({ run: "r1", name, base, tree, keep });
const author = { name: "A", email: "a@example.invalid" };

/** Runs git as an agent would at its desk, with whatever configuration its home has. */
function atDesk(desk: Desk, ...args: string[]): string {
  return world.git(args, desk.folder);
}

async function committed(work: (desk: Desk) => void): Promise<CommitId> {
  await repository.beginRun("r1", base);
  const desk = await open("maker");
  work(desk);
  const captured = await repository.capture(desk, tree);
  const commit = await repository.commitTree({
    tree: captured.tree,
    parents: [base],
    message: "Do it",
    author,
    time: 1,
  });
  await repository.advance("r1", { from: base, to: commit });
  return commit;
}

describe("what an agent does to the git directory of its desk is named", () => {
  const moreAt = (desk: Desk, path: string) => join(desk.folder, ".git", path);
  test.each<[string, (desk: Desk) => void, string[]]>([
    ["nothing but looking", (desk) => void atDesk(desk, "log", "-1"), []],
    [
      "a commit",
      (desk) => void atDesk(desk, "commit", "-q", "--allow-empty", "-m", "mine"),
      ["WS_HEAD_MOVED"],
    ],
    ["a setting", (desk) => void atDesk(desk, "config", "core.fsmonitor", "evil"), ["WS_GIT_CONFIG"]],
    ["a branch", (desk) => void atDesk(desk, "branch", "mine"), ["WS_GIT_REFS"]],
    ["a hook", (desk) => put(moreAt(desk, "hooks/pre-commit"), "#!/bin/sh\n", 0o755), ["WS_GIT_HOOKS"]],
    ["removal", (desk) => rmSync(moreAt(desk, ""), { recursive: true }), ["WS_GIT_GONE"]],
    [
      "a pipe for its HEAD",
      (desk) => {
        rmSync(moreAt(desk, "HEAD"));
        execFileSync("mkfifo", [moreAt(desk, "HEAD")]);
      },
      ["WS_HEAD_MOVED"],
    ],
  ])("%s", async (_what, work, codes) => {
    const desk = await open();
    work(desk);
    const { meddled } = await repository.capture(desk, tree);
    expect(meddled.map(({ code }) => code)).toEqual(codes);
    expect((await repository.capture(await open("a"), tree)).meddled).toEqual([]);
  });
});

describe("the user's repository", () => {
  /** Installs hooks for everything; each one that runs leaves a file. */
  function installHooks(): string {
    const proof = join(world.folder, "a hook ran");
    for (const name of [
      "pre-commit",
      "post-checkout",
      "reference-transaction",
      "post-index-change",
      "post-merge",
    ]) {
      put(join(world.root, ".git/hooks", name), `#!/bin/sh\necho ${name} >> '${proof}'\n`, 0o755);
    }
    return proof;
  }

  /** Everything except objects and our own refs. */
  function everything(): Map<string, string> {
    const ours = /^\.git\/(objects\/|(logs\/)?refs\/(coxswain|heads\/cox)\/)/;
    const inGit = [...filesIn(join(world.root, ".git"))].map(
      ([path, text]) => [`.git/${path}`, text] as const,
    );
    return new Map([...inGit, ...filesIn(world.root)].filter(([path]) => !ours.test(path)));
  }

  test("is byte for byte as it was after everything but a landing, and no hook ran", async () => {
    world.userPut("stashed.txt", "stashed");
    world.git(["stash", "-u", "-q"]);
    world.userPut("src/a.ts", "staged\n");
    world.git(["add", "src/a.ts"]);
    world.userPut("README.md", "unstaged\n");
    world.userPut("untracked.txt", "untracked\n");
    const proof = installHooks();
    const before = everything();

    await repository.beginRun("r1", base);
    const desk = await open();
    world.put(desk, "src/a.ts", "ONE\n");
    const captured = await repository.capture(desk, tree);
    await repository.pin("r1", "capture-a", captured.tree);
    const other = await open("b");
    world.put(other, "new.ts", "x\n");
    const theirs = await repository.capture(other, tree);
    const merged = await repository.merge({ base: tree, ours: captured.tree, theirs: theirs.tree });
    const commit = await repository.commitTree({
      tree: merged.tree,
      parents: [base],
      message: "Do it",
      author,
      time: 1,
    });
    await repository.advance("r1", { from: base, to: commit });
    expect(await repository.planLanding(commit)).toMatchObject({ kind: "refused", code: "LAND_DIRTY" });
    await repository.closeDesk(other);
    await repository.removeGarbage((await repository.findGarbage()).runs);

    expect(everything()).toEqual(before);
    expect(existsSync(proof)).toBe(false);
    expect(world.git(["show", "--format=%an %s", "--name-only", "cox/r1"])).toBe(
      "A Do it\n\nnew.ts\nsrc/a.ts\n",
    );
    world.git(["fsck", "--strict"]);
  });

  test("runs no hook at a landing either, and keeps what is staged and unstaged elsewhere", async () => {
    const tip = await committed((desk) => world.put(desk, "src/a.ts", "ONE\n"));
    world.userPut("src/b.ts", "staged\n");
    world.userPut("added.ts", "staged\n");
    world.git(["add", "src/b.ts", "added.ts"]);
    world.userPut("src/b.ts", "and more\n");
    const proof = installHooks();
    const plan = await repository.planLanding(tip);
    if (plan.kind !== "possible") throw new Error(plan.kind);
    world.userPut("src/a.ts", "ONE\n");
    expect(plan.bypassed).toEqual({ signature: false, hooks: ["pre-commit"] });
    await repository.land({ from: plan.from, to: tip });
    expect(existsSync(proof)).toBe(false);
    expect(world.git(["status", "--porcelain"])).toBe("A  added.ts\nMM src/b.ts\n");
    expect(world.git(["show", ":src/b.ts"])).toBe("staged\n");
    expect(world.git(["reflog", "-1", "--format=%gs"])).toBe("cox land\n");
  });

  test("can be landed on again after a kill between index and branch", async () => {
    const tip = await committed((desk) => {
      world.put(desk, "src/a.ts", "ONE\n");
      world.put(desk, "new.ts", "new\n");
      world.remove(desk, "README.md");
    });
    const plan = await repository.planLanding(tip);
    if (plan.kind !== "possible") throw new Error(plan.kind);
    world.userPut("src/a.ts", "ONE\n");
    world.userPut("new.ts", "new\n");
    world.userRemove("README.md");
    world.git(["read-tree", "-i", "-m", base, tip]);
    await repository.land({ from: plan.from, to: tip });
    expect(world.git(["status", "--porcelain"])).toBe("");
    expect(await repository.head()).toEqual({ branch: "main", commit: tip });
  });

  test("holds the run's objects, which survive the loss of the cache and git's garbage collection", async () => {
    const tip = await committed((desk) => world.put(desk, "src/a.ts", "ONE\n"));
    rmSync(world.cache, { recursive: true });
    world.git(["gc", "-q", "--prune=now"]);
    expect(world.git(["show", `${tip}:src/a.ts`])).toBe("ONE\n");
  });

  test("may be in a linked worktree, at a detached HEAD", async () => {
    await start({
      from: "linked",
      prepare: ({ git, folder }) => {
        git(["add", "-A"]);
        git(["commit", "-q", "-m", "First"]);
        git(["worktree", "add", "-q", "--detach", join(folder, "linked")]);
      },
    });
    const linked = join(world.folder, "linked");
    expect(repository.root).toBe(linked);
    expect(await repository.head()).toEqual({ commit: base });
    const mainBefore = filesIn(world.root);
    const tip = await committed((desk) => world.put(desk, "src/a.ts", "ONE\n"));
    const plan = await repository.planLanding(tip);
    if (plan.kind !== "possible") throw new Error(plan.kind);
    put(join(linked, "src/a.ts"), "ONE\n");
    await repository.land({ from: plan.from, to: tip });
    expect(await repository.head()).toEqual({ commit: tip });
    expect(world.git(["status", "--porcelain"], linked)).toBe("");
    expect(filesIn(world.root)).toEqual(mainBefore);
    expect(world.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/main\n");
  });

  test("may name its objects by SHA-256", async () => {
    await start({
      prepare: ({ git, root }) => {
        rmSync(join(root, ".git"), { recursive: true });
        git(["init", "-q", "-b", "main", "--object-format=sha256"]);
      },
    });
    expect(base).toHaveLength(64);
    const one = await open("a");
    world.put(one, "src/a.ts", "ONE\n");
    const two = await open("b");
    world.put(two, "new.ts", "new\n");
    expect(atDesk(two, "status", "--porcelain")).toBe("?? new.ts\n");
    const [ours, theirs] = [await repository.capture(one, tree), await repository.capture(two, tree)];
    const merged = await repository.merge({ base: tree, ours: ours.tree, theirs: theirs.tree });
    expect(merged.kind).toBe("clean");
    expect(changeLines(await repository.changes(tree, merged.tree))).toHaveLength(2);
  });
});

describe("what an agent does to the git directory of its desk", () => {
  test("is seen by nobody else", async () => {
    const desk = await open();
    const proof = join(world.folder, "a program ran");
    const program = join(world.folder, "program");
    put(program, `#!/bin/sh\ntouch '${proof}'\n`, 0o755);
    world.put(desk, "src/a.ts", "ONE\n");
    atDesk(desk, "add", "-A");
    atDesk(desk, "commit", "-q", "-m", "my own");
    world.put(desk, "src/b.ts", "stashed\n");
    atDesk(desk, "stash", "-q");
    world.put(desk, "new.ts", "new\n");
    atDesk(desk, "update-ref", "refs/heads/main", "HEAD");
    atDesk(desk, "update-ref", "HEAD", base);
    atDesk(desk, "config", "core.fsmonitor", program);
    atDesk(desk, "config", "core.hooksPath", world.folder);
    atDesk(desk, "config", "core.excludesFile", join(world.folder, "all"));
    atDesk(desk, "config", "filter.x.clean", program);
    put(join(world.folder, "all"), "*\n");
    put(join(desk.folder, ".git/info/exclude"), "*\n");
    put(join(desk.folder, ".git/info/attributes"), "* filter=x\n");
    for (const hook of ["post-index-change", "pre-commit"])
      put(join(desk.folder, ".git/hooks", hook), `#!/bin/sh\ntouch '${proof}'\n`, 0o755);
    rmSync(proof, { force: true });

    const captured = await repository.capture(desk, tree);
    expect(changeLines(captured)).toEqual(["new.ts: nothing → new\n644", "src/a.ts: one\n644 → ONE\n644"]);
    expect(captured).toMatchObject({ ignored: [], unfit: [] });
    expect(existsSync(proof)).toBe(false);
    expect(world.git(["for-each-ref"]).split("\n")).toHaveLength(2);
    expect(world.git(["stash", "list"])).toBe("");

    await open();
    expect(world.filesAt(desk)).toEqual(new Map(Object.entries(startFiles)));
    expect(existsSync(proof)).toBe(false);
    expect(atDesk(desk, "stash", "list")).toBe("");
  });

  test.each<[string, (git: string) => void]>([
    ["removes it", (git) => rmSync(git, { recursive: true })],
    [
      "makes a file of it",
      (git) => [rmSync(git, { recursive: true }), writeFileSync(git, "gitdir: /nowhere\n")],
    ],
    ["makes a link of it", (git) => [rmSync(git, { recursive: true }), symlinkSync("/nowhere", git)]],
    ["breaks its configuration", (git) => writeFileSync(join(git, "config"), "[[[")],
    ["moves its HEAD", (git) => writeFileSync(join(git, "HEAD"), "ref: refs/heads/gone\n")],
    ["locks its index", (git) => writeFileSync(join(git, "index.lock"), "")],
    [
      "makes a pipe of its HEAD",
      (git) => [rmSync(join(git, "HEAD")), execFileSync("mkfifo", [join(git, "HEAD")])],
    ],
  ])("does not affect the capture: it %s", async (_, work) => {
    const desk = await open();
    world.put(desk, "src/a.ts", "ONE\n");
    work(join(desk.folder, ".git"));
    expect(changeLines(await repository.capture(desk, tree))).toEqual(["src/a.ts: one\n644 → ONE\n644"]);
    const kept = await open("a", true);
    expect(kept.isKept).toBe(true);
    expect(changeLines(await repository.capture(kept, tree))).toHaveLength(1);
    await open();
    expect(atDesk(desk, "status", "--porcelain")).toBe("");
  });

  test("a desk has a git directory of its own, with the base checked out and the newer changes in it", async () => {
    const one = await open();
    world.put(one, "src/a.ts", "ONE\n");
    const captured = await repository.capture(one, tree);
    const desk = await repository.openDesk({ run: "r1", name: "b", base, tree: captured.tree, keep: false });
    expect(atDesk(desk, "rev-parse", "HEAD").trim()).toBe(base);
    expect(atDesk(desk, "status", "--porcelain")).toBe(" M src/a.ts\n");
    expect(atDesk(desk, "log", "--format=%s")).toBe("Begin\n");
    expect(atDesk(desk, "remote")).toBe("");
    expect(atDesk(desk, "config", "user.name")).toBe("coxswain desk\n");
  });

  test("at a desk for verification git knows all files that will be committed, and tells what was written since", async () => {
    const one = await open();
    world.put(one, "src/new.ts", "new\n");
    const captured = await repository.capture(one, tree);
    const request = {
      run: "r1",
      name: "v",
      base,
      tree: captured.tree,
      keep: false,
      purpose: "verify",
    } as const;
    const desk = await repository.openDesk(request);
    expect(atDesk(desk, "rev-parse", "HEAD").trim()).toBe(base);
    expect(atDesk(desk, "ls-files", "src/new.ts")).toBe("src/new.ts\n");
    expect(atDesk(desk, "diff", "--name-only")).toBe("");
    world.put(desk, "src/a.ts", "generated\n");
    expect(atDesk(desk, "diff", "--name-only")).toBe("src/a.ts\n");
  });

  test("a lock that a killed git of ours left is no obstacle", async () => {
    const desk = await open();
    const home = join(world.cache, "repositories", readdirSync(join(world.cache, "repositories"))[0] ?? "");
    writeFileSync(join(home, "desks/r1/a/index.lock"), "");
    expect((await repository.capture(desk, tree)).tree).toBe(tree);
    writeFileSync(join(home, "desks/r1/a/index.lock"), "");
    expect((await open()).isKept).toBe(false);
  });
});

describe("a capture", () => {
  test("sees a change of the same size, with the time put back", async () => {
    const desk = await open();
    const path = join(desk.folder, "src/a.ts");
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "eno\n");
    utimesSync(path, atime, mtime);
    expect(changeLines(await repository.capture(desk, tree))).toEqual(["src/a.ts: one\n644 → eno\n644"]);
  });

  test("sees a change of the same size in the same instant, again and again", async () => {
    const desk = await open();
    for (let round = 0; round < 5; round++) {
      const text = `${round}ne\n`;
      world.put(desk, "src/a.ts", text);
      expect(changeLines(await repository.capture(desk, tree))).toEqual([`src/a.ts: one\n644 → ${text}644`]);
    }
    world.put(desk, "src/a.ts", "one\n");
    expect((await repository.capture(desk, tree)).tree).toBe(tree);
  });

  test("names paths that are not UTF-8, pipes, and git directories in disguise, and takes none of them", async () => {
    const desk = await open();
    writeFileSync(Buffer.concat([Buffer.from(`${desk.folder}/bad-`), Buffer.from([0xff, 0xfe])]), "x");
    execFileSync("mkfifo", [join(desk.folder, "pipe")]);
    world.put(desk, "config", ".git/config", 0o120000);
    world.put(desk, ".GIT/config", "x");
    world.put(desk, "src/git~1", "x");
    const captured = await repository.capture(desk, tree);
    expect(captured).toMatchObject({ tree, changes: [], links: [] });
    expect(captured.unfit.map(({ code }) => code).sort()).toEqual([
      "PATH_ILL_FORMED",
      "PATH_NOT_REGULAR",
      "PATH_PROTECTED",
      "PATH_PROTECTED",
      "PATH_SYMLINK",
    ]);
    await open();
    expect(readdirSync(desk.folder).sort()).toEqual([".git", ".gitignore", "README.md", "src"]);
  });

  test.each([".gitignore", "new/.gitattributes"])("does not wait for a pipe named %s", async (name) => {
    const desk = await open();
    world.put(desk, "new/x.ts", "x\n");
    rmSync(join(desk.folder, name), { force: true });
    execFileSync("mkfifo", [join(desk.folder, name)]);
    const captured = await repository.capture(desk, tree);
    expect(captured).toMatchObject({ tree, changes: [] });
    expect(unfitPaths(captured, "PATH_NOT_REGULAR")).toEqual([name]);
  });

  test("takes files of a folder of the tree in which somebody made a repository, but not as a submodule", async () => {
    const desk = await open();
    atDesk(desk, "init", "-q", "src");
    world.git(["commit", "-q", "--allow-empty", "-m", "nested"], join(desk.folder, "src"));
    world.put(desk, "src/a.ts", "ONE\n");
    const captured = await repository.capture(desk, tree);
    expect(changeLines(captured)).toEqual(["src/a.ts: one\n644 → ONE\n644"]);
    expect(unfitPaths(captured, "PATH_NESTED_REPO")).toEqual(["src"]);
  });

  test("takes a link in place of a folder as a link", async () => {
    const desk = await open();
    renameSync(join(desk.folder, "src"), join(desk.folder, "lib"));
    symlinkSync("lib", join(desk.folder, "src"));
    const captured = await repository.capture(desk, tree);
    expect(captured.links).toEqual([{ path: "src", target: "lib" }]);
    expect(captured.changes.map(({ path }) => path)).toEqual([
      "lib/a.ts",
      "lib/b.ts",
      "src/a.ts",
      "src/b.ts",
    ]);
    await open();
    expect(world.filesAt(desk)).toEqual(new Map(Object.entries(startFiles)));
  });

  test.each<[how: string, more: Readonly<Record<string, string>>]>([
    ["as they are", {}],
    ["with other line ends", { ".gitattributes": "* text eol=crlf\n" }],
    [
      "too many to be compared one by one",
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`.coxswain/docs/${at}.md`, `${at}\n`])),
    ],
  ])(
    "keeps odd files of the user's that nobody touched, and names those that somebody did: %s",
    async (_, more) => {
      const odd = ["a:b.txt", "-dash", "tab\t.txt"];
      await start({
        prepare: ({ root }) => {
          for (const [name, text] of Object.entries(more)) put(join(root, name), text);
          for (const name of odd) put(join(root, name), "odd\n");
          put(join(root, ".coxswain/config.yaml"), "ours\n");
          put(join(root, "out"), "/etc/passwd", 0o120000);
        },
      });
      const desk = await open();
      world.put(desk, "src/a.ts", "ONE\n");
      const first = await repository.capture(desk, tree);
      expect(first.unfit).toEqual([]);
      expect(first.changes.map(({ path }) => path)).toEqual(["src/a.ts"]);

      const config = world.filesAt(desk).get(".coxswain/config.yaml") ?? "";
      world.remove(desk, ".coxswain/config.yaml");
      world.put(desk, ".coxswain/config.yaml", config);
      utimesSync(join(desk.folder, ".coxswain/config.yaml"), 1, 1);
      expect((await repository.capture(desk, tree)).unfit).toEqual([]);

      world.put(desk, "a:b.txt", "changed\n");
      world.remove(desk, "-dash");
      world.put(desk, ".coxswain/config.yaml", "mine\n");
      const second = await repository.capture(desk, tree);
      expect(second.tree).toBe(first.tree);
      expect(second.unfit.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
        "-dash PATH_LEADING_DASH",
        ".coxswain/config.yaml PATH_PROTECTED",
        "a:b.txt PATH_COLON",
      ]);

      world.put(desk, ".coxswain/config.yaml", config, 0o755);
      expect((await repository.capture(desk, tree)).unfit).toContainEqual(
        expect.objectContaining({ path: ".coxswain/config.yaml", code: "PATH_PROTECTED" }),
      );
    },
  );

  test("names ignored folders without looking into them, and Coxswain's own where they are ignored", async () => {
    const desk = await open();
    world.put(desk, "build/deep/x.js", "x");
    world.put(desk, "new/build/y.js", "y");
    world.put(desk, ".coxswain/changesets/.gitignore", "*\n");
    world.put(desk, ".coxswain/changesets/log", "x");
    const captured = await repository.capture(desk, tree);
    expect(captured).toMatchObject({ tree, unfit: [] });
    expect([...captured.ignored].sort()).toEqual([
      ".coxswain/changesets/.gitignore",
      ".coxswain/changesets/log",
      "build/",
      "new/build/",
    ]);
  });

  test("heeds the user's own excludes", async () => {
    await start({
      prepare: ({ git, root, folder }) => {
        put(join(folder, "my ignores"), "*.mine\n");
        git(["config", "core.excludesFile", join(folder, "my ignores")]);
        put(join(root, ".git/info/exclude"), "*.here\n");
      },
    });
    const desk = await open();
    for (const name of ["x.mine", "y.here", "z.ts"]) world.put(desk, name, "x");
    const captured = await repository.capture(desk, tree);
    expect(captured.changes.map(({ path }) => path)).toEqual(["z.ts"]);
    expect(captured.ignored).toEqual(["x.mine", "y.here"]);
  });

  test("of 2,000 files is whole", async () => {
    const desk = await open();
    for (let at = 0; at < 2000; at++) world.put(desk, `many/${at % 40}/${at}.txt`, `${at}\n`);
    const captured = await repository.capture(desk, tree);
    expect(captured.changes).toHaveLength(2000);
    const next = await repository.openDesk({ run: "r1", name: "b", base, tree: captured.tree, keep: false });
    expect(world.filesAt(next)).toEqual(world.filesAt(desk));
    await repository.openDesk({ run: "r1", name: "b", base, tree, keep: false });
    expect(world.filesAt(next)).toEqual(new Map(Object.entries(startFiles)));
  });

  test("fails with a code when the desk is gone, and follows no link in its place", async () => {
    const desk = await open();
    renameSync(desk.folder, join(world.folder, "elsewhere"));
    await expect(repository.capture(desk, tree)).rejects.toMatchObject({ code: "DESK_GONE" });
    symlinkSync(world.root, desk.folder);
    await expect(repository.capture(desk, tree)).rejects.toMatchObject({ code: "DESK_GONE" });
    await open("a", true);
    expect(lstatSync(desk.folder).isDirectory()).toBe(true);
    expect(filesIn(world.root)).toEqual(new Map(Object.entries(startFiles)));
  });
});

describe("a desk", () => {
  test("with unreadable folders and files is made again, and removed", async () => {
    const desk = await open();
    world.put(desk, "locked/inner/x.ts", "x");
    for (const [path, mode] of [
      ["src/a.ts", 0],
      ["src", 0o555],
      ["locked/inner", 0],
      ["locked", 0o500],
    ] as const)
      chmodSync(join(desk.folder, path), mode);
    await open();
    expect(world.filesAt(desk)).toEqual(new Map(Object.entries(startFiles)));
    expect(statSync(join(desk.folder, "src")).mode & 0o700).toBe(0o700);
    world.put(desk, "locked/x.ts", "x");
    chmodSync(join(desk.folder, "locked"), 0o500);
    await repository.removeGarbage((await repository.findGarbage()).runs);
    expect(existsSync(desk.folder)).toBe(false);
  });

  test("that was given back is used again, but none that an agent used for verification", async () => {
    // Git does not track a folder's mode, so it marks this very folder.
    const isMarked = (desk: Desk) => (statSync(desk.folder).mode & 0o777) === 0o710;
    const openFor = (run: string, purpose: "work" | "verify") =>
      repository.openDesk({ run, name: "a", base, tree, keep: false, purpose });
    const work = await open();
    chmodSync(work.folder, 0o710);
    await repository.closeDesk(work);
    expect(isMarked(await openFor("r2", "verify"))).toBe(false);
    expect(isMarked(await openFor("r3", "work"))).toBe(true);
    expect(isMarked(await openFor("r3", "verify"))).toBe(false);
  });

  test("that was only half made by a killed process is made again, even if it was to be kept", async () => {
    const desk = await open();
    const home = join(world.cache, "repositories", readdirSync(join(world.cache, "repositories"))[0] ?? "");
    rmSync(join(home, "desks/r1/a/opened"));
    rmSync(join(desk.folder, "README.md"));
    expect((await open("a", true)).isKept).toBe(false);
    expect(world.filesAt(desk).get("README.md")).toBe("hello\n");
  });

  test("is in one guarded folder with all other desks", async () => {
    const { folder } = await open();
    const other = await open("b");
    expect(repository.guarded).toContain(join(world.root, ".git"));
    const [desks, ...more] = repository.guarded.filter((one) => `${folder}/`.startsWith(`${one}/`));
    expect(more).toEqual([]);
    expect(`${other.folder}/`.startsWith(`${desks}/`)).toBe(true);
    expect(folder).not.toBe(desks);
  });
});

describe("line ends and filters", () => {
  test("with core.autocrlf files have CRLF in every checkout and LF in every tree", async () => {
    await start({ prepare: ({ git }) => void git(["config", "core.autocrlf", "true"]) });
    world.git(["rm", "-q", "--cached", "-r", "."]);
    world.git(["reset", "-q", "--hard"]);
    expect(world.userFiles().get("src/a.ts")).toBe("one\r\n");
    const desk = await open();
    expect(world.filesAt(desk).get("src/a.ts")).toBe("one\r\n");
    expect((await repository.capture(desk, tree)).tree).toBe(tree);
    world.put(desk, "src/a.ts", "one\r\ntwo\r\n");
    world.put(desk, "new.ts", "new\r\n");
    const captured = await repository.capture(desk, tree);
    expect(changeLines(captured)).toEqual([
      "new.ts: nothing → new\n644",
      "src/a.ts: one\n644 → one\ntwo\n644",
    ]);

    await repository.beginRun("r1", base);
    const tip = await repository.commitTree({
      tree: captured.tree,
      parents: [base],
      message: "x",
      author,
      time: 1,
    });
    const plan = await repository.planLanding(tip);
    if (plan.kind !== "possible") throw new Error(plan.kind);
    expect(changeLines(plan.files)).toEqual([
      "new.ts: nothing → new\r\n644",
      "src/a.ts: one\r\n644 → one\r\ntwo\r\n644",
    ]);
    for (const { path, post } of plan.files.changes)
      if (post) world.userPut(path, plan.files.bytes(post.sha256));
    await repository.land({ from: plan.from, to: tip });
    expect(world.git(["status", "--porcelain"])).toBe("");
  });

  test("a landing checks out files with the line ends that git would write", async () => {
    await start({ prepare: ({ git }) => void git(["config", "core.autocrlf", "true"]) });
    const tip = await committed((desk) => world.put(desk, "src/a.ts", "ONE\n"));
    const plan = await repository.planLanding(tip);
    expect(plan.kind === "possible" && changeLines(plan.files)).toEqual(["src/a.ts: one\n644 → ONE\r\n644"]);
  });

  test("git attributes that come with the landing count", async () => {
    const tip = await committed((desk) => {
      world.put(desk, ".gitattributes", "*.bat eol=crlf\n");
      world.put(desk, "x.bat", "echo\n");
    });
    const plan = await repository.planLanding(tip);
    expect(plan.kind === "possible" && changeLines(plan.files)).toEqual([
      ".gitattributes: nothing → *.bat eol=crlf\n644",
      "x.bat: nothing → echo\r\n644",
    ]);
  });

  test("a filter of the user's works at desks and at a landing", async () => {
    await start({
      prepare: ({ git, root }) => {
        git(["config", "filter.case.clean", "tr A-Z a-z"]);
        git(["config", "filter.case.smudge", "tr a-z A-Z"]);
        put(join(root, ".gitattributes"), "*.txt filter=case\n");
        put(join(root, "x.txt"), "LOUD\n");
      },
    });
    const desk = await open();
    expect(world.filesAt(desk).get("x.txt")).toBe("LOUD\n");
    expect((await repository.capture(desk, tree)).tree).toBe(tree);
    const tip = await committed((desk) => world.put(desk, "x.txt", "LOUDER\n"));
    expect(world.git(["show", `${tip}:x.txt`])).toBe("louder\n");
    const plan = await repository.planLanding(tip);
    expect(plan.kind === "possible" && changeLines(plan.files)).toEqual(["x.txt: LOUD\n644 → LOUDER\n644"]);
  });
});

describe("the run's branch", () => {
  const change = (desk: Desk) => world.put(desk, "src/a.ts", "ONE\n");
  const next = (tip: CommitId) =>
    repository.commitTree({
      tree,
      parents: [tip],
      message: "Next",
      author: { name: "A", email: "a" },
      time: 1,
    });

  test.each<[string, (world: RealWorld) => string, (world: RealWorld) => void]>([
    [
      "in the user's checkout",
      ({ root, git }) => {
        git(["switch", "-q", "cox/r1"]);
        return root;
      },
      ({ git }) => git(["switch", "-q", "-c", "mine"]),
    ],
    [
      "in another worktree",
      ({ git, root }) => {
        git(["worktree", "add", "-q", `${root}-beside`, "cox/r1"]);
        return `${root}-beside`;
      },
      ({ git, root }) => git(["worktree", "remove", `${root}-beside`]),
    ],
  ])("is not moved while it is checked out %s, and is moved afterwards", async (_, checkOut, leave) => {
    const tip = await committed(change);
    const to = await next(tip);
    const folder = checkOut(world);
    const moving = repository.advance("r1", { from: tip, to });
    await expect(moving).rejects.toMatchObject({
      code: "GIT_BRANCH_CHECKED_OUT",
      message: expect.stringContaining(folder),
      hint: expect.stringContaining("git switch -c NAME"),
    });
    expect(await repository.tip("r1")).toBe(tip);
    // A repeated call recognises that it is already done, wherever the branch is checked out.
    expect(await repository.advance("r1", { from: base, to: tip })).toEqual({});
    leave(world);
    expect(await repository.advance("r1", { from: tip, to })).toEqual({});
  });

  test("that was deleted is restored by the command in the message, and its commits survive garbage collection", async () => {
    const tip = await committed(change);
    const to = await next(tip);
    world.git(["branch", "-q", "-D", "cox/r1"]);
    world.git(["gc", "-q", "--prune=now"]);
    const moving = repository.advance("r1", { from: tip, to });
    const error = await moving.catch((thrown: unknown) => thrown as Error & { hint: string });
    expect(error).toMatchObject({ code: "GIT_BRANCH_GONE", hint: expect.stringContaining(tip) });
    const [, command = ""] = /: git (.*)$/.exec("hint" in error ? error.hint : "") ?? [];
    world.git(command.split(" "));
    expect(await repository.advance("r1", { from: tip, to: await next(tip) })).toEqual({});
  });
});

describe("a landing is refused", () => {
  const change = (desk: Desk) => {
    world.put(desk, "src/a.ts", "ONE\n");
    world.put(desk, "lib/new.ts", "new\n");
  };
  test.each<[string, string, string[], (world: RealWorld) => void]>([
    [
      "a merge is under way",
      "LAND_BUSY",
      [],
      ({ root }) => writeFileSync(join(root, ".git/MERGE_HEAD"), `${base}\n`),
    ],
    [
      "the index is held",
      "GIT_INDEX_LOCKED",
      [".git/index.lock"],
      ({ root }) => writeFileSync(join(root, ".git/index.lock"), ""),
    ],
    [
      "the branch is held",
      "GIT_INDEX_LOCKED",
      [".git/refs/heads/main.lock"],
      ({ root }) => writeFileSync(join(root, ".git/refs/heads/main.lock"), ""),
    ],
    ["the checkout is on a run's branch", "LAND_ON_RUN", [], ({ git }) => git(["switch", "-q", "cox/r1"])],
    ["a rebase is under way", "LAND_BUSY", [], ({ root }) => mkdirSync(join(root, ".git/rebase-merge"))],
    [
      "a file is only staged",
      "LAND_DIRTY",
      ["src/a.ts"],
      ({ git, userPut }) => {
        userPut("src/a.ts", "staged\n");
        git(["add", "src/a.ts"]);
        userPut("src/a.ts", "one\n");
      },
    ],
    [
      "git was told not to look",
      "LAND_DIRTY",
      ["src/a.ts"],
      ({ git, userPut }) => {
        git(["update-index", "--assume-unchanged", "src/a.ts"]);
        userPut("src/a.ts", "hidden\n");
      },
    ],
    [
      "an ignored file is in the way",
      "LAND_IN_THE_WAY",
      ["lib/new.ts"],
      ({ root, userPut }) => {
        put(join(root, ".git/info/exclude"), "lib/\n");
        userPut("lib/new.ts", "mine\n");
      },
    ],
    [
      "a file is where a folder shall be",
      "LAND_IN_THE_WAY",
      ["lib"],
      ({ userPut }) => userPut("lib", "mine\n"),
    ],
    [
      "a link leads elsewhere",
      "LAND_IN_THE_WAY",
      ["lib"],
      ({ root }) => symlinkSync("/tmp", join(root, "lib")),
    ],
  ])("when %s", async (_, code, paths, disturb) => {
    const tip = await committed(change);
    disturb(world);
    expect(await repository.planLanding(tip)).toMatchObject({ kind: "refused", code, paths });
  });

  test("when a file becomes a folder", async () => {
    const tip = await committed((desk) => {
      world.remove(desk, "README.md");
      world.put(desk, "README.md/x.md", "x\n");
    });
    expect(await repository.planLanding(tip)).toMatchObject({ kind: "refused", code: "LAND_FOLDER" });
  });

  test("when the histories have nothing in common", async () => {
    const tip = await committed(change);
    world.git(["checkout", "-q", "--orphan", "other"]);
    world.git(["commit", "-q", "-m", "Other"]);
    expect(await repository.planLanding(tip)).toMatchObject({ kind: "refused", code: "LAND_UNRELATED" });
  });
});

test("a failure of git is reported with its command and its own words", async () => {
  await expect(repository.treeOf(commitId("0123456789012345678901234567890123456789"))).rejects.toMatchObject(
    {
      code: "GIT_FAILED",
      message: expect.stringMatching(
        /^git rev-parse --verify .* failed with exit code 128: Needed a single revision$/,
      ),
    },
  );
});

test("a branch of the user's with the run's name is not taken over", async () => {
  world.git(["branch", "cox/r1"]);
  await expect(repository.beginRun("r1", base)).rejects.toMatchObject({ code: "GIT_REF_TAKEN" });
});

test("a run whose beginning was interrupted after its base was pinned is begun to the end", async () => {
  world.git(["update-ref", "refs/coxswain/r1/base", base]);
  await repository.beginRun("r1", base);
  expect(await repository.tip("r1")).toBe(base);
});

test("GIT_ variables of our own environment reach no git", async () => {
  const names = ["GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE", "GIT_NAMESPACE"];
  const opened = await world.open(world.root, Object.fromEntries(names.map((name) => [name, "/nowhere"])));
  if ("problem" in opened) throw new Error(opened.problem.message);
  ({ repository } = opened);
  expect((await repository.head()).commit).toBe(base);
  expect((await repository.capture(await open(), tree)).tree).toBe(tree);
});

test("the index of the user is not even refreshed", async () => {
  const index = join(world.root, ".git/index");
  const tip = await committed((desk) => world.put(desk, "src/a.ts", "ONE\n"));
  utimesSync(join(world.root, "README.md"), 1, 1);
  const before = [readFileSync(index), statSync(index).mtimeMs];
  expect((await repository.planLanding(tip)).kind).toBe("possible");
  expect([readFileSync(index), statSync(index).mtimeMs]).toEqual(before);
});

describe("changes in the user's git directory while agents work without a sandbox are seen", () => {
  const git = (...args: string[]) => void world.git(args);
  const inGit = (path: string, text: string) => put(join(world.root, ".git", path), text, 0o644);
  const [ours, users] = ["ours", "user's"];

  test.each<[string, () => void, string[]]>([
    ["a setting", () => git("config", "core.pager", "evil"), [`${ours} config`]],
    ["a program for a remote", () => git("config", "remote.origin.uploadpack", "evil"), [`${ours} config`]],
    ["an address of a remote", () => git("config", "remote.origin.url", "elsewhere"), [`${users} config`]],
    ["what an editor notes of a branch", () => git("config", "branch.main.x", "y"), [`${users} config`]],
    ["a hook", () => inGit("hooks/post-checkout", "evil"), [`${ours} post-checkout`]],
    ["attributes", () => inGit("info/attributes", "* filter=evil"), [`${ours} attributes`]],
    ["objects from elsewhere", () => inGit("objects/info/alternates", "/tmp"), [`${ours} alternates`]],
    ["a branch", () => git("branch", "more"), [`${users} more`]],
    ["a commit", () => git("commit", "-q", "--allow-empty", "-m", "more"), [`${users} main`]],
    ["another branch", () => git("checkout", "-q", "-b", "more"), [`${users} HEAD`, `${users} more`]],
    ["the index", () => git("rm", "-q", "--cached", "src/a.ts"), [`${users} a.ts`]],
    ["a stash below the newest", () => git("stash", "drop", "-q", "stash@{1}"), [`${users} stash`]],
    ["its own look at the index", () => git("status"), []],
    ["the refs of runs", () => git("update-ref", "refs/coxswain/r1/work-a", base), []],
  ])("%s", async (_, act, expected) => {
    inGit("hooks/pre-commit", "theirs");
    for (const text of ["one", "two"]) {
      put(join(world.root, "README.md"), text, 0o644);
      git("stash", "-q");
    }
    const before = await repository.look({ desks: [] });
    act();
    const after = await repository.look({ desks: [] });
    const changed = [...after].flatMap(([place, { isUsers, marks }]) => {
      const were = before.get(place)?.marks ?? new Map<string, string>();
      const paths = [...new Set([...were.keys(), ...marks.keys()])].filter(
        (path) => were.get(path) !== marks.get(path),
      );
      return paths.map((path) => `${isUsers ? users : ours} ${path.split("/").at(-1)}`);
    });
    expect(changed.sort()).toEqual(expected);
  });

  test("git, which would start a planted program, is no longer asked about the checkout", async () => {
    await repository.look({ desks: [] });
    git("config", "filter.evil.clean", `touch '${join(world.folder, "ran")}'; cat`);
    put(join(world.root, ".gitattributes"), "* filter=evil\n", 0o644);
    put(join(world.root, "README.md"), "dirty", 0o644);
    for (const time of [1, 2]) expect((await repository.look({ desks: [] })).size, `${time}`).toBe(1);
    expect(existsSync(join(world.folder, "ran"))).toBe(false);
    git("config", "--unset", "filter.evil.clean");
    expect((await repository.look({ desks: [] })).size).toBeGreaterThan(1);
  });

  test("hooks are watched in the folder where the user has them", async () => {
    const hooks = join(world.folder, "hooks");
    await start({ prepare: ({ git }) => void git(["config", "core.hooksPath", hooks]) });
    const before = await repository.look({ desks: [] });
    put(join(hooks, "pre-commit"), "evil", 0o755);
    expect(await repository.look({ desks: [] })).not.toEqual(before);
    rmSync(hooks, { recursive: true });
  });
});

test("the contents of a captured tree, computed from its changes, are as git lists them", async () => {
  const desk = await open();
  world.remove(desk, "src");
  world.put(desk, "häuser/Maß.txt", "new\n");
  world.put(desk, "docs/deep/er.sh", "#!/bin/sh\n", 0o755);
  world.put(desk, "link", "docs", 0o120000);
  const captured = (await repository.capture(desk, tree)).tree;
  const sorted = async (from: Repository) => [...(await from.contents(captured))].sort();
  expect(await sorted(repository)).toEqual(await sorted(await world.again()));

  const later = await repository.openDesk({ run: "r1", name: "b", base, tree: captured, keep: false });
  expect(existsSync(join(later.folder, "src"))).toBe(false);
  expect(filesIn(later.folder)).toEqual(filesIn(desk.folder));
});
