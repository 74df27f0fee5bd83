/** What every implementation of the repository promises, tested with somebody at a desk and a user at the checkout. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assert } from "../std/assert.ts";
import type { CommitId, TreeId } from "../std/object-id.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { Captured, Desk, LandingPlan, Repository, TreeChanges } from "./repository.ts";

export interface RepositoryWorld {
  readonly repository: Repository;
  /** A second instance on the same repository, like that of a coordinator that starts after a crash. */
  again(): Promise<Repository>;
  /** Changes a file at a desk, as an agent would. A mode of 0o120000 makes a link. */
  put(desk: Desk, path: string, text: string | Uint8Array, mode?: 0o644 | 0o755 | 0o120000): void;
  remove(desk: Desk, path: string): void;
  filesAt(desk: Desk): ReadonlyMap<string, string>;
  /** Changes a file in the user's checkout. */
  userPut(path: string, text: string | Uint8Array): void;
  userRemove(path: string): void;
  userFiles(): ReadonlyMap<string, string>;
  userCommit(message: string): Promise<CommitId>;
  end(): Promise<void>;
}

export const startFiles = {
  ".gitignore": "*.log\nbuild/\n",
  "README.md": "hello\n",
  "src/a.ts": "one\n",
  "src/b.ts": "two\n",
} as const;

/** `make` returns a repository whose one commit holds `startFiles`, on the branch `main`. */
export function repositoryContract(implementation: string, make: () => Promise<RepositoryWorld>): void {
  describe(implementation, () => {
    let world: RepositoryWorld;
    let repository: Repository;
    let base: CommitId;
    let tree: TreeId;

    beforeEach(async () => {
      world = await make();
      repository = world.repository;
      base = (await repository.head()).commit;
      tree = await repository.treeOf(base);
    });

    afterEach(() => world.end());

    const open = (name: string, more: { tree?: TreeId; keep?: boolean } = {}) =>
      repository.openDesk({ run: "r1", name, base, tree, keep: false, ...more });

    /** A tree like `from`, except for what `work` does to it at a desk. */
    async function made(work: (desk: Desk) => void, from = tree): Promise<TreeId> {
      const desk = await open("maker", { tree: from });
      work(desk);
      const captured = await repository.capture(desk, from);
      await repository.closeDesk(desk);
      return captured.tree;
    }

    test("two contents have the same git id if and only if they are equal", async () => {
      const other = await made((desk) => {
        world.put(desk, "src/a.ts", "changed\n");
        world.put(desk, "src/copy.ts", "two\n");
      });
      const [before, after] = [await repository.contents(tree), await repository.contents(other)];
      expect([...before.keys()].sort()).toEqual(Object.keys(startFiles).sort());
      expect(after.get("src/a.ts")).not.toBe(before.get("src/a.ts"));
      expect(after.get("src/b.ts")).toBe(before.get("src/b.ts"));
      expect(after.get("src/copy.ts")).toBe(before.get("src/b.ts"));
    });

    test("a capture knows the names in each folder of the tree before it", async () => {
      const desk = await open("names");
      world.put(desk, "src/Ärger.ts", "new\n");
      world.remove(desk, "README.md");
      const { namesBefore, tree: next } = await repository.capture(desk, tree);
      expect([...namesBefore("")].sort()).toEqual([".gitignore", "README.md", "src"]);
      expect([...namesBefore("src")].sort()).toEqual(["a.ts", "b.ts"]);
      expect(namesBefore("src/a.ts")).toEqual([]);
      const later = await repository.capture(desk, next);
      expect([...later.namesBefore("src")].sort()).toEqual(["a.ts", "b.ts", "Ärger.ts"]);
    });

    test("two outside snapshots are equal until somebody writes outside the desks, and say whether users write there too", async () => {
      await repository.beginRun("r1", base);
      const [at, beside] = [await open("a"), await open("b")];
      const desks = [
        { run: "r1", name: "b" },
        { run: "r1", name: "never" },
      ];
      const changed = async (act: () => unknown) => {
        const before = await repository.look({ desks });
        await act();
        return [...(await repository.look({ desks }))].flatMap(([place, { isUsers, marks }]) => {
          const were = before.get(place)?.marks ?? new Map<string, string>();
          const paths = [...new Set([...were.keys(), ...marks.keys()])];
          return paths
            .filter((path) => were.get(path) !== marks.get(path))
            .map((path) => `${isUsers ? "user's" : "ours"} ${path.split("/").at(-1)}`);
        });
      };
      expect(await changed(() => {})).toEqual([]);
      expect(await changed(() => world.put(at, "src/a.ts", "mine\n"))).toEqual([]);
      expect(await changed(() => repository.pin("r1", "work-a", tree))).toEqual([]);
      expect(await changed(() => world.userPut("src/a.ts", "changed\n"))).toEqual(["user's a.ts"]);
      expect(await changed(() => world.userPut("src/a.ts", "changed again\n"))).toEqual(["user's a.ts"]);
      expect(await changed(() => world.userPut("new.txt", "new\n"))).toEqual(["user's new.txt"]);
      expect(await changed(() => world.userRemove("new.txt"))).toEqual(["user's new.txt"]);
      expect(await changed(() => world.put(beside, "src/b.ts", "forged\n"))).toEqual(["ours b.ts"]);
    });

    test("uncommitted changes, new files and removed files of the user are named", async () => {
      expect(await repository.uncommitted()).toEqual([]);
      world.userPut("src/a.ts", "changed\n");
      world.userPut("a new one.txt", "new\n");
      world.userRemove("src/b.ts");
      expect([...(await repository.uncommitted())].sort()).toEqual(["a new one.txt", "src/a.ts", "src/b.ts"]);
    });

    const committed = (of: TreeId, parents: readonly CommitId[], message = "Do it") =>
      repository.commitTree({ tree: of, parents, message, author, time: 1_700_000_000 });

    /** A run with one commit on the base; its branch is advanced. */
    async function ran(work: (desk: Desk) => void): Promise<CommitId> {
      await repository.beginRun("r1", base);
      const commit = await committed(await made(work), [base]);
      expect(await repository.advance("r1", { from: base, to: commit })).toEqual({});
      return commit;
    }

    async function tipOf(run: string): Promise<CommitId> {
      const tip = await repository.tip(run);
      assert(tip, "the run has begun");
      return tip;
    }

    /** Lands as a caller would: files first, then index and branch. */
    async function landed(plan: LandingPlan): Promise<CommitId> {
      if (plan.kind !== "possible")
        throw new Error(`expected a possible landing, not ${JSON.stringify(plan)}`);
      for (const { path, post } of plan.files.changes) {
        if (post) world.userPut(path, plan.files.bytes(post.sha256));
        else world.userRemove(path);
      }
      const to = plan.how === "merge" ? await committed(plan.tree, plan.parents) : await tipOf("r1");
      await repository.land({ from: plan.from, to });
      return to;
    }

    describe("a desk", () => {
      test("holds exactly the tree it was opened with", async () => {
        expect(world.filesAt(await open("a"))).toEqual(new Map(Object.entries(startFiles)));
      });

      test("with nothing changed gives the same tree and no change", async () => {
        const captured = await repository.capture(await open("a"), tree);
        expect(captured).toMatchObject({ tree, changes: [], links: [], ignored: [], unfit: [] });
      });

      test("gives what was made, changed, removed and made executable", async () => {
        const desk = await open("a");
        world.put(desk, "new/deep/file.ts", "new\n");
        world.put(desk, "src/a.ts", "ONE\n");
        world.remove(desk, "src/b.ts");
        world.put(desk, "README.md", "hello\n", 0o755);
        const captured = await repository.capture(desk, tree);
        expect(changeLines(captured)).toEqual([
          "README.md: hello\n644 → hello\n755",
          "new/deep/file.ts: nothing → new\n644",
          "src/a.ts: one\n644 → ONE\n644",
          "src/b.ts: two\n644 → nothing",
        ]);
        expect(captured.tree).not.toBe(tree);
        expect(changeLines(await repository.changes(tree, captured.tree))).toEqual(changeLines(captured));
        expect(changeLines(await repository.changes(captured.tree, tree))).toHaveLength(4);
      });

      test("gives a rename as a delete and a create", async () => {
        const desk = await open("a");
        world.remove(desk, "src/a.ts");
        world.put(desk, "src/c.ts", "one\n");
        expect(changeLines(await repository.capture(desk, tree))).toEqual([
          "src/a.ts: one\n644 → nothing",
          "src/c.ts: nothing → one\n644",
        ]);
      });

      test("gives bytes as they are", async () => {
        const desk = await open("a");
        const bytes = Uint8Array.from({ length: 512 }, (_, at) => at % 256);
        world.put(desk, "image.png", bytes);
        const captured = await repository.capture(desk, tree);
        expect([...captured.bytes(captured.changes[0]?.post?.sha256 ?? "")]).toEqual([...bytes]);
      });

      test("may become empty", async () => {
        const desk = await open("a");
        for (const path of Object.keys(startFiles)) world.remove(desk, path);
        const { tree: empty, changes } = await repository.capture(desk, tree);
        expect(changes.map(({ post }) => post)).toEqual([undefined, undefined, undefined, undefined]);
        expect(world.filesAt(await open("b", { tree: empty })).size).toBe(0);
        expect(changeLines(await repository.changes(empty, tree))).toHaveLength(4);
      });

      test("gives a file that became a folder, and a folder that became a file", async () => {
        const desk = await open("a");
        world.remove(desk, "README.md");
        world.put(desk, "README.md/inside.md", "in\n");
        world.remove(desk, "src/a.ts");
        world.remove(desk, "src/b.ts");
        world.remove(desk, "src");
        world.put(desk, "src", "a file\n");
        const captured = await repository.capture(desk, tree);
        expect(captured.changes.map(({ path }) => path)).toEqual([
          "README.md",
          "README.md/inside.md",
          "src",
          "src/a.ts",
          "src/b.ts",
        ]);
        expect(world.filesAt(await open("a", { tree: captured.tree }))).toEqual(world.filesAt(desk));
      });

      test("names ignored files and takes none of them", async () => {
        const desk = await open("a");
        world.put(desk, "debug.log", "noise");
        const captured = await repository.capture(desk, tree);
        expect(captured).toMatchObject({ tree, changes: [], ignored: ["debug.log"], unfit: [] });
      });

      test("is judged by the ignore rules that stand there now", async () => {
        const desk = await open("a");
        world.put(desk, ".gitignore", "*.tmp\n");
        world.put(desk, "debug.log", "kept");
        world.put(desk, "x.tmp", "noise");
        const captured = await repository.capture(desk, tree);
        expect(captured.changes.map(({ path }) => path)).toEqual([".gitignore", "debug.log"]);
        expect(captured.ignored).toEqual(["x.tmp"]);
      });

      test("gives a file of the tree even where a rule ignores it", async () => {
        const from = await made((desk) => {
          world.put(desk, ".gitignore", "");
          world.put(desk, "debug.log", "one\n");
        });
        const ignoring = await made((desk) => world.put(desk, ".gitignore", "*.log\n"), from);
        const desk = await open("a", { tree: ignoring });
        world.put(desk, "debug.log", "two\n");
        expect(changeLines(await repository.capture(desk, ignoring))).toEqual([
          "debug.log: one\n644 → two\n644",
        ]);
      });

      test("gives links that stay inside, and names those that lead out", async () => {
        const desk = await open("a");
        world.put(desk, "src/link.ts", "a.ts", 0o120000);
        world.put(desk, "src/up", "../README.md", 0o120000);
        world.put(desk, "out", "../../etc/passwd", 0o120000);
        world.put(desk, "absolute", "/etc/passwd", 0o120000);
        world.put(desk, "src/sly", "x/../../../etc", 0o120000);
        const captured = await repository.capture(desk, tree);
        expect(captured.links).toEqual([
          { path: "src/link.ts", target: "a.ts" },
          { path: "src/up", target: "../README.md" },
        ]);
        expect(captured.changes).toEqual([]);
        expect(unfitPaths(captured, "PATH_SYMLINK")).toEqual(["absolute", "out", "src/sly"]);

        world.remove(desk, "src/up");
        const later = await repository.capture(desk, captured.tree);
        expect(later.links).toEqual([{ path: "src/up" }]);
      });

      test.each([
        ["a tab\there.ts", "PATH_CONTROL"],
        ["line\nend.ts", "PATH_CONTROL"],
        ["-rf", "PATH_LEADING_DASH"],
        ["src/-x.ts", "PATH_LEADING_DASH"],
        ["back\\slash.ts", "PATH_BACKSLASH"],
        [".coxswain/config.yaml", "PATH_PROTECTED"],
      ])("does not give %j, and says so", async (path, code) => {
        const desk = await open("a");
        world.put(desk, path, "x\n");
        world.put(desk, "good.ts", "y\n");
        const captured = await repository.capture(desk, tree);
        expect(captured.changes.map((change) => change.path)).toEqual(["good.ts"]);
        expect(captured.unfit).toMatchObject([{ code }]);
        expect(captured.unfit[0]?.message).toMatch(/^[^\n\t]{10,}$/);
      });

      test.each(["with space.ts", 'quo"te.ts', "it's.ts", "ünï/cödé.ts", ":(top)x", "*.ts"])(
        "gives %j like any other, or says why not",
        async (path) => {
          const desk = await open("a");
          world.put(desk, path, "x\n");
          const captured = await repository.capture(desk, tree);
          const isFit = !path.startsWith(":");
          expect(captured.changes.map((change) => change.path)).toEqual(isFit ? [path] : []);
          expect(captured.unfit.map(({ code }) => code)).toEqual(isFit ? [] : ["PATH_COLON"]);
        },
      );

      test("does not give a repository inside it, and says so", async () => {
        const desk = await open("a");
        world.put(desk, "vendor/lib/.git/HEAD", "ref: refs/heads/main\n");
        world.put(desk, "vendor/lib/lib.ts", "x\n");
        world.put(desk, "vendor/own.ts", "y\n");
        const captured = await repository.capture(desk, tree);
        expect(captured.changes.map(({ path }) => path)).toEqual(["vendor/own.ts"]);
        expect(unfitPaths(captured, "PATH_NESTED_REPO")).toEqual(["vendor/lib"]);
      });

      test("that is opened again is made again, without ignored files", async () => {
        const desk = await open("a");
        world.put(desk, "debug.log", "noise");
        world.put(desk, "src/a.ts", "ONE\n");
        world.put(desk, "build/out/x.js", "noise");
        world.remove(desk, "README.md");
        const again = await open("a");
        expect(again.isKept).toBe(false);
        expect(world.filesAt(again)).toEqual(new Map(Object.entries(startFiles)));
      });

      test("that is kept is as it was left, also after a crash", async () => {
        const desk = await open("a", { keep: true });
        expect(desk.isKept).toBe(false);
        world.put(desk, "src/a.ts", "half\n");
        world.put(desk, "debug.log", "noise");
        const later = await (await world.again()).openDesk({ run: "r1", name: "a", base, tree, keep: true });
        expect(later).toEqual({ ...desk, isKept: true });
        expect(world.filesAt(later).get("src/a.ts")).toBe("half\n");
        expect(changeLines(await repository.capture(later, tree))).toEqual([
          "src/a.ts: one\n644 → half\n644",
        ]);
      });

      test("is a different one under another name or run", async () => {
        const one = await open("a");
        const two = await open("b");
        const three = await repository.openDesk({ run: "r2", name: "a", base, tree, keep: true });
        world.put(one, "src/a.ts", "ONE\n");
        for (const other of [two, three]) expect(world.filesAt(other).get("src/a.ts")).toBe("one\n");
      });

      test("that was closed leaves nothing to the next desk", async () => {
        const desk = await open("a");
        world.put(desk, "src/a.ts", "ONE\n");
        world.put(desk, "debug.log", "noise");
        await repository.closeDesk(desk);
        const next = await open("b", { keep: true });
        expect(next.isKept).toBe(false);
        expect(world.filesAt(next)).toEqual(new Map(Object.entries(startFiles)));
        expect((await open("a", { keep: true })).isKept).toBe(false);
      });

      test("is captured against any tree", async () => {
        const desk = await open("a");
        world.put(desk, "src/a.ts", "ONE\n");
        const first = await repository.capture(desk, tree);
        world.put(desk, "src/b.ts", "TWO\n");
        expect(changeLines(await repository.capture(desk, first.tree))).toEqual([
          "src/b.ts: two\n644 → TWO\n644",
        ]);
        expect(changeLines(await repository.capture(desk, tree))).toHaveLength(2);
      });
    });

    describe("a merge", () => {
      test("takes what each side did", async () => {
        const ours = await made((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const theirs = await made((desk) => world.put(desk, "new.ts", "new\n"));
        const merged = await repository.merge({ base: tree, ours, theirs });
        expect(merged.kind).toBe("clean");
        expect(changeLines(await repository.changes(tree, merged.tree))).toEqual([
          "new.ts: nothing → new\n644",
          "src/a.ts: one\n644 → ONE\n644",
        ]);
        expect(await repository.merge({ base: tree, ours: theirs, theirs: ours })).toEqual(merged);
      });

      test("takes what both sides did alike, and what one side did not do", async () => {
        const ours = await made((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const clean = { kind: "clean", tree: ours };
        expect(await repository.merge({ base: tree, ours, theirs: ours })).toEqual(clean);
        expect(await repository.merge({ base: tree, ours, theirs: tree })).toEqual(clean);
        expect(await repository.merge({ base: tree, ours: tree, theirs: ours })).toEqual(clean);
      });

      test("PATH-54 of names that differ only in case is a conflict, unless one of them goes", async () => {
        const ours = await made((desk) => {
          world.put(desk, "Notes.md", "ours\n");
          world.put(desk, "Lib/ours.ts", "ours\n");
        });
        const theirs = await made((desk) => {
          world.put(desk, "NOTES.md", "theirs\n");
          world.put(desk, "lib/theirs.ts", "theirs\n");
          world.put(desk, "fits.ts", "theirs\n");
        });
        const merged = await repository.merge({ base: tree, ours, theirs });
        expect(merged).toMatchObject({ kind: "conflict", paths: ["NOTES.md", "lib/theirs.ts"] });
        const { changes } = await repository.changes(tree, merged.tree);
        expect(changes.map(({ path }) => path)).toEqual(expect.arrayContaining(["NOTES.md", "Notes.md"]));

        const renamed = await made((desk) => {
          world.remove(desk, "README.md");
          world.put(desk, "Readme.md", "hello\n");
        });
        expect(await repository.merge({ base: tree, ours, theirs: renamed })).toMatchObject({
          kind: "clean",
        });
      });

      test("names the files in which the sides do not fit together, and marks the places", async () => {
        const ours = await made((desk) => world.put(desk, "src/a.ts", "ours\n"));
        const theirs = await made((desk) => {
          world.put(desk, "src/a.ts", "theirs\n");
          world.put(desk, "src/b.ts", "fits\n");
        });
        const merged = await repository.merge({ base: tree, ours, theirs });
        expect(merged).toMatchObject({ kind: "conflict", paths: ["src/a.ts"] });
        const files = world.filesAt(await open("a", { tree: merged.tree }));
        expect(files.get("src/a.ts")).toMatch(/^<<<<<<< .*\nours\n=======\ntheirs\n>>>>>>> .*\n$/);
        expect(files.get("src/b.ts")).toBe("fits\n");
      });

      test("of a file that one side removed and the other changed is a conflict", async () => {
        const ours = await made((desk) => world.remove(desk, "src/a.ts"));
        const theirs = await made((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const merged = await repository.merge({ base: tree, ours, theirs });
        expect(merged).toMatchObject({ kind: "conflict", paths: ["src/a.ts"] });
      });

      test("takes a commit back: from its own tree to its parent's", async () => {
        const first = await made((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const second = await made((desk) => world.put(desk, "src/b.ts", "TWO\n"), first);
        const reverted = await repository.merge({ base: first, ours: second, theirs: tree });
        expect(reverted.kind).toBe("clean");
        expect(changeLines(await repository.changes(tree, reverted.tree))).toEqual([
          "src/b.ts: two\n644 → TWO\n644",
        ]);
      });
    });

    describe("a run's branch", () => {
      test("begins at the base, and may be begun again", async () => {
        expect(await repository.tip("r1")).toBeUndefined();
        await repository.beginRun("r1", base);
        await repository.beginRun("r1", base);
        expect(await repository.tip("r1")).toBe(base);
        expect(await (await world.again()).tip("r1")).toBe(base);
      });

      test("is not begun on another base, nor moved back by beginning again", async () => {
        const commit = await ran((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        await repository.beginRun("r1", base);
        expect(await repository.tip("r1")).toBe(commit);
        await expect(repository.beginRun("r1", commit)).rejects.toMatchObject({ code: "GIT_REF_TAKEN" });
      });

      test("gets the same commit for the same facts, and another for others", async () => {
        const changed = await made((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const facts = {
          tree: changed,
          parents: [base],
          message: "Do it\n\nCoxswain-Run: r1\n",
          author,
          time: 5,
        };
        const commit = await repository.commitTree(facts);
        expect(await (await world.again()).commitTree({ ...facts })).toBe(commit);
        expect(await repository.treeOf(commit)).toBe(changed);
        for (const other of [
          { tree },
          { parents: [] },
          { message: "Other" },
          { time: 6 },
          { author: { ...author, name: "B" } },
        ])
          expect(await repository.commitTree({ ...facts, ...other })).not.toBe(commit);
      });

      test("is advanced from where it was expected, once, and says where it is otherwise", async () => {
        const commit = await ran((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        expect(await repository.advance("r1", { from: base, to: commit })).toEqual({});
        const other = await committed(tree, [base], "Other");
        expect(await repository.advance("r1", { from: base, to: other })).toEqual({ found: commit });
        expect(await repository.tip("r1")).toBe(commit);
      });

      test("tells which commit comes after which", async () => {
        const commit = await ran((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const other = await committed(tree, [base], "Other");
        expect(await repository.isAncestor(base, commit)).toBe(true);
        expect(await repository.isAncestor(commit, commit)).toBe(true);
        expect(await repository.isAncestor(commit, base)).toBe(false);
        expect(await repository.isAncestor(other, commit)).toBe(false);
      });
    });

    describe("landing", () => {
      test("of commits that are already on the branch does nothing", async () => {
        expect(await repository.planLanding(base)).toEqual({ kind: "already" });
      });

      test("moves the user's branch forward and changes the files", async () => {
        const tip = await ran((desk) => {
          world.put(desk, "src/a.ts", "ONE\n");
          world.put(desk, "new.ts", "new\n");
          world.remove(desk, "src/b.ts");
        });
        const plan = await repository.planLanding(tip);
        expect(plan).toMatchObject({
          kind: "possible",
          how: "fast-forward",
          from: { branch: "main", commit: base },
        });
        await landed(plan);
        expect(await repository.head()).toEqual({ branch: "main", commit: tip });
        expect(world.userFiles()).toEqual(
          new Map([
            [".gitignore", startFiles[".gitignore"]],
            ["README.md", "hello\n"],
            ["new.ts", "new\n"],
            ["src/a.ts", "ONE\n"],
          ]),
        );
        expect(await repository.planLanding(tip)).toEqual({ kind: "already" });
      });

      test("merges with what the user committed meanwhile", async () => {
        const tip = await ran((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        world.userPut("README.md", "hello you\n");
        const mine = await world.userCommit("Mine");
        const plan = await repository.planLanding(tip);
        expect(plan).toMatchObject({ kind: "possible", how: "merge", parents: [mine, tip] });
        if (plan.kind === "possible")
          expect(changeLines(plan.files)).toEqual(["src/a.ts: one\n644 → ONE\n644"]);
        expect(await repository.countCommits({ from: mine, to: tip })).toBe(1);
        const merge = await landed(plan);
        expect(await repository.countCommits({ from: mine, to: merge })).toBe(2);
        expect(await repository.countCommits({ from: merge, to: mine })).toBe(0);
        expect(await repository.head()).toEqual({ branch: "main", commit: merge });
        expect(await repository.isAncestor(mine, merge)).toBe(true);
        expect(await repository.isAncestor(tip, merge)).toBe(true);
      });

      test("may be repeated after it was killed anywhere", async () => {
        const tip = await ran((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const plan = await repository.planLanding(tip);
        const to = await landed(plan);
        if (plan.kind === "possible") await (await world.again()).land({ from: plan.from, to });
        expect(await repository.head()).toEqual({ branch: "main", commit: tip });
      });

      test("leaves uncommitted work elsewhere alone", async () => {
        const tip = await ran((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        world.userPut("README.md", "half\n");
        world.userPut("notes.txt", "mine\n");
        await landed(await repository.planLanding(tip));
        expect(world.userFiles().get("README.md")).toBe("half\n");
        expect(world.userFiles().get("notes.txt")).toBe("mine\n");
      });

      test.each<[string, string, (world: RepositoryWorld) => unknown]>([
        ["LAND_DIRTY", "src/a.ts", (world) => world.userPut("src/a.ts", "half\n")],
        ["LAND_DIRTY", "src/a.ts", (world) => world.userRemove("src/a.ts")],
        ["LAND_IN_THE_WAY", "new.ts", (world) => world.userPut("new.ts", "mine\n")],
        [
          "LAND_CONFLICT",
          "new.ts",
          async (world) => {
            world.userPut("NEW.ts", "mine\n");
            await world.userCommit("Mine");
          },
        ],
        [
          "LAND_CONFLICT",
          "src/a.ts",
          async (world) => {
            world.userPut("src/a.ts", "mine\n");
            await world.userCommit("Mine");
          },
        ],
      ])("is refused with %s on %s", async (code, path, disturb) => {
        const tip = await ran((desk) => {
          world.put(desk, "src/a.ts", "ONE\n");
          world.put(desk, "new.ts", "new\n");
        });
        await disturb(world);
        const before = [await repository.head(), world.userFiles()];
        const plan = await repository.planLanding(tip);
        expect(plan).toMatchObject({ kind: "refused", code, paths: [path] });
        if (plan.kind === "refused") expect(plan.message).toContain(path);
        expect([await repository.head(), world.userFiles()]).toEqual(before);
      });

      test("of symbolic links is left to the user", async () => {
        const tip = await ran((desk) => world.put(desk, "link", "README.md", 0o120000));
        expect(await repository.planLanding(tip)).toMatchObject({
          kind: "refused",
          code: "LAND_LINKS",
          paths: ["link"],
          hint: "Merge it yourself: git merge cox/r1",
        });
      });

      test("is not finished on another commit than it began on", async () => {
        const tip = await ran((desk) => world.put(desk, "src/a.ts", "ONE\n"));
        const from = await repository.head();
        world.userPut("README.md", "mine\n");
        const mine = await world.userCommit("Mine");
        await expect(repository.land({ from, to: tip })).rejects.toMatchObject({ code: "LAND_MOVED" });
        expect((await repository.head()).commit).toBe(mine);
      });
    });

    test("garbage of all runs is found, and that of the named runs is removed once", async () => {
      for (const run of ["r1", "r2"]) {
        await repository.beginRun(run, base);
        await repository.openDesk({ run, name: "a", base, tree, keep: false });
        await repository.pin(run, "capture-a", tree);
      }
      const found = await repository.findGarbage();
      expect(found.runs).toEqual(["r1", "r2"]);
      const removed = await repository.removeGarbage(["r1"]);
      expect(removed).toMatchObject({
        runs: ["r1"],
        desks: [{ run: "r1", name: "a" }],
        refs: ["refs/coxswain/r1/base", "refs/coxswain/r1/capture-a"],
      });
      expect(removed.desks[0]?.bytes).toBeGreaterThan(10);
      expect(found.desks).toContainEqual(removed.desks[0]);
      expect(await repository.removeGarbage(["r1"])).toEqual({ runs: [], desks: [], refs: [] });
      expect((await repository.findGarbage()).runs).toEqual(["r2"]);
      expect(await repository.tip("r1")).toBe(base);
      const kept = { run: "r2", name: "a", base, tree, keep: true };
      expect((await repository.openDesk(kept)).isKept).toBe(true);
      expect((await repository.openDesk({ ...kept, run: "r1" })).isKept).toBe(false);
    });
  });
}

const author = { name: "A U Thor", email: "author@example.invalid" };

/** Each change as a line, sorted by path. */
export function changeLines({ changes, bytes }: TreeChanges): string[] {
  const side = (image: { sha256: string; mode: number } | undefined) =>
    image ? `${decodeUtf8(bytes(image.sha256))}${image.mode.toString(8)}` : "nothing";
  return changes.map(({ path, pre, post }) => `${path}: ${side(pre)} → ${side(post)}`).sort();
}

export function unfitPaths({ unfit }: Captured, code: string): string[] {
  return unfit
    .filter((one) => one.code === code)
    .map(({ path }) => path)
    .sort();
}

export function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? encodeUtf8(text) : text;
}
