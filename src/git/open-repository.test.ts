import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeFolderTrees } from "../world/folders/node-folder-trees.ts";
import { nodeCommands } from "../world/processes/node-commands.ts";
import { openRepository } from "./open-repository.ts";
import { put, type RealWorld, realWorld } from "./real-world.contract.ts";

let world: RealWorld;

beforeEach(async () => {
  world = await realWorld();
});
afterEach(() => world.end());

test("a repository is found from any folder of its checkout, through links too", async () => {
  symlinkSync(world.root, join(world.folder, "link"));
  for (const from of [join(world.root, "src"), join(world.folder, "link/src")]) {
    expect(await world.open(from)).toMatchObject({ repository: { root: world.root } });
  }
});

test.each<[string, (world: RealWorld) => string | undefined]>([
  ["GIT_NO_REPOSITORY", ({ folder }) => folder],
  [
    "GIT_BARE",
    ({ git, folder, root }) => {
      git(["clone", "-q", "--bare", root, join(folder, "bare")]);
      return join(folder, "bare");
    },
  ],
  [
    "GIT_NO_COMMIT",
    ({ git, folder }) => {
      git(["init", "-q", join(folder, "empty")]);
      return join(folder, "empty");
    },
  ],
  [
    "GIT_SHALLOW",
    ({ git, folder, root, userPut }) => {
      userPut("x", "x");
      git(["add", "-A"]);
      git(["commit", "-q", "-m", "Second"]);
      git(["clone", "-q", "--depth=1", `file://${root}`, join(folder, "shallow")]);
      return join(folder, "shallow");
    },
  ],
  ["GIT_PARTIAL_CLONE", ({ git }) => void git(["config", "remote.origin.promisor", "true"])],
  ["GIT_SPARSE", ({ git }) => void git(["sparse-checkout", "set", "src"])],
  ["GIT_BRANCH_COX", ({ git }) => void git(["branch", "cox"])],
  [
    "GIT_SUBMODULES",
    ({ git }) => {
      git(["update-index", "--add", "--cacheinfo", `160000,${git(["rev-parse", "HEAD"]).trim()},vendor/lib`]);
      git(["commit", "-q", "-m", "Submodule"]);
      return undefined;
    },
  ],
  [
    "GIT_LFS",
    ({ userPut, userCommit }) => {
      userPut("assets/.gitattributes", "*.png filter=lfs diff=lfs merge=lfs -text\n");
      void userCommit("LFS");
      return undefined;
    },
  ],
  [
    "GIT_FILTER",
    ({ git, root, userPut, userCommit }) => {
      userPut(".gitattributes", "*.txt filter=own\n");
      put(join(root, "tools/clean.sh"), "#!/bin/sh\ncat\n", 0o755);
      git(["config", "filter.own.clean", "sh ./tools/clean.sh %f"]);
      void userCommit("Filter");
      return undefined;
    },
  ],
])("%s: an unsupported repository is refused before anything is made", async (code, make) => {
  rmSync(world.cache, { recursive: true });
  const answer = await world.open(make(world) ?? world.root);
  expect(answer).toMatchObject({ problem: { code } });
  if ("problem" in answer) {
    expect(answer.problem.hint).toMatch(/\.$/);
    expect(answer.problem.message).not.toMatch(/\n/);
  }
  expect(() => rmSync(world.cache, { recursive: true })).toThrow("ENOENT");
});

test.each([
  ["GIT_MISSING", undefined],
  ["GIT_TOO_OLD", "git version 2.38.9"],
])("%s: a missing or too old git is reported", async (code, version) => {
  const bin = join(world.folder, "bin");
  mkdirSync(bin);
  if (version)
    put(
      join(bin, "git"),
      `#!${execFileSync("sh", ["-c", "command -v sh"]).toString().trim()}\necho ${version}\n`,
      0o755,
    );
  const answer = await openRepository(
    { commands: nodeCommands, trees: nodeFolderTrees },
    { root: world.root, cache: world.cache, environment: { PATH: bin } },
  );
  expect(answer).toMatchObject({ problem: { code } });
});

test("git settings of the user that run programs are not taken over", async () => {
  const proof = join(world.folder, "it ran");
  const program = join(world.folder, "program");
  writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\n`);
  chmodSync(program, 0o755);
  for (const key of [
    "core.fsmonitor",
    "merge.mine.driver",
    "diff.external",
    "core.sshCommand",
    "gpg.program",
  ]) {
    world.git(["config", key, `'${program}'`]);
  }
  world.git(["config", "commit.gpgSign", "true"]);
  writeFileSync(join(world.root, ".gitattributes"), "*.ts merge=mine\n");
  world.git(["-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false", "add", "-A"]);
  world.git(["-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false", "commit", "-q", "-m", "Attributes"]);
  rmSync(proof, { force: true });

  const repository = await world.again();
  const { commit: base } = await repository.head();
  const tree = await repository.treeOf(base);
  const made = async (name: string, text: string) => {
    const desk = await repository.openDesk({ run: "r1", name, base, tree, keep: false });
    world.put(desk, "src/a.ts", text);
    return (await repository.capture(desk, tree)).tree;
  };
  const [ours, theirs] = [await made("a", "ours\n"), await made("b", "theirs\n")];
  expect((await repository.merge({ base: tree, ours, theirs })).kind).toBe("conflict");
  const author = { name: "A", email: "a@example.invalid" };
  const tip = await repository.commitTree({ tree: ours, parents: [base], message: "x", author, time: 1 });
  expect((await repository.planLanding(tip)).kind).toBe("possible");
  expect(() => rmSync(proof)).toThrow("ENOENT");
});
