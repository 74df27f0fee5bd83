/** Git is not started if anything that it would obey has changed since cox started. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TreeId } from "../std/object-id.ts";
import { put, type RealWorld, realWorld } from "./real-world.contract.ts";
import type { Desk, Repository } from "./repository.ts";

let world: RealWorld;

/** The user has a filter, with its program in a folder of theirs, and files that it applies to. */
beforeEach(async () => {
  world = await realWorld({ prepare: ({ root }) => put(join(root, ".gitattributes"), "*.up filter=up\n") });
  mkdirSync(join(world.folder, "bin"));
});
afterEach(() => world.end());

const at = (name: string) => join(world.folder, name);
const program = (name: string, script: string) => put(at(name), `#!/bin/sh\n${script}\n`, 0o755);
const leavesTrace = (name: string) => `: > '${at(name)}'; cat`;

async function opened(): Promise<Repository> {
  const answer = await world.open(world.root, { PATH: `${at("bin")}:${process.env.PATH}` });
  if ("problem" in answer) throw new Error(answer.problem.message);
  return answer.repository;
}

interface Begun {
  readonly repository: Repository;
  readonly desk: Desk;
  readonly tree: TreeId;
}

async function begun(): Promise<Begun> {
  const repository = await opened();
  const { commit } = await repository.head();
  const tree = await repository.treeOf(commit);
  const desk = await repository.openDesk({ run: "r1", name: "a", base: commit, tree, keep: false });
  return { repository, desk, tree };
}

function ownFolder(): string {
  const [key = ""] = readdirSync(join(world.cache, "repositories"));
  const above = join(world.cache, "repositories", key, "git");
  return join(above, readdirSync(above)[0] ?? "");
}

describe("our own git directory", () => {
  const deeds: [string, (folder: string) => void, string][] = [
    [
      "config",
      (folder) => appendFileSync(join(folder, "config"), '[filter "x"]\n\tclean = false\n'),
      "config",
    ],
    ["HEAD", (folder) => writeFileSync(join(folder, "HEAD"), "ref: refs/heads/nope\n"), "HEAD"],
    [
      "its attributes",
      (folder) => writeFileSync(join(folder, "info/attributes"), "* filter=up\n"),
      "info/attributes",
    ],
    [
      "the copy of the user's attributes",
      (folder) => writeFileSync(join(folder, "attributes"), "* -text\n"),
      "attributes",
    ],
    ["a file that is gone", (folder) => rmSync(join(folder, "info/exclude")), "info/exclude"],
    ["hooks", (folder) => mkdirSync(join(folder, "hooks")), "hooks"],
    [
      "a configuration of a worktree",
      (folder) => writeFileSync(join(folder, "config.worktree"), ""),
      "config.worktree",
    ],
    ["a common folder", (folder) => writeFileSync(join(folder, "commondir"), world.root), "commondir"],
    ["grafts", (folder) => writeFileSync(join(folder, "info/grafts"), ""), "info/grafts"],
    ["a ref", (folder) => mkdirSync(join(folder, "refs/replace")), "refs/replace"],
    [
      "other alternates",
      (folder) => writeFileSync(join(folder, "../../objects/info/alternates"), `${world.folder}\n`),
      "objects/info/alternates",
    ],
    [
      "a pack among the commits that only a merge needs",
      (folder) => mkdirSync(join(folder, "../../objects/pack")),
      "objects/pack",
    ],
  ];
  test.each(deeds)(
    "is not used once somebody changed it (%s), and the next opening makes it again",
    async (_, deed, path) => {
      const { repository, desk, tree } = await begun();
      deed(ownFolder());
      world.put(desk, "new.txt", "new\n");
      await expect(repository.capture(desk, tree)).rejects.toMatchObject({
        code: "GIT_HOME_CHANGED",
        message: expect.stringContaining(`/${path} `),
        hint: expect.stringContaining("cox resume"),
      });
      const again = await opened();
      expect((await again.capture(desk, tree)).changes.map((change) => change.path)).toEqual(["new.txt"]);
    },
  );

  test("is a new one if the user's settings change, so a running cox is not disturbed", async () => {
    const { repository, desk, tree } = await begun();
    world.git(["config", "core.autocrlf", "input"]);
    await opened();
    expect((await repository.capture(desk, tree)).tree).toBe(tree);
  });
});

describe("the user's filter", () => {
  beforeEach(() => {
    program("bin/upper", "tr a-z A-Z");
    world.git(["config", "filter.up.clean", "upper"]);
  });
  const captured = async ({ repository, desk, tree }: Begun) => {
    world.put(desk, "a.up", "loud\n");
    const { changes, bytes } = await repository.capture(desk, tree);
    return changes.map(({ post }) => post && Buffer.from(bytes(post.sha256)).toString());
  };

  test("runs, also where its program is in a folder of the user's", async () => {
    expect(await captured(await begun())).toEqual(["LOUD\n"]);
  });

  test("does not run when its program was replaced", async () => {
    const started = await begun();
    program("bin/upper", leavesTrace("ran"));
    await expect(captured(started)).rejects.toMatchObject({
      code: "PROGRAM_CHANGED",
      message: expect.stringContaining("bin/upper was changed"),
    });
    expect(existsSync(at("ran"))).toBe(false);
  });

  test("is the one of the start: one configured later is not run over their files", async () => {
    const { repository } = await begun();
    put(join(world.root, "mine.up"), "mine\n");
    world.git(["config", "user.name", "Somebody else"]);
    expect(await repository.uncommitted()).toEqual(["mine.up"]);
    world.git(["config", "filter.up.clean", leavesTrace("ran")]);
    await expect(repository.uncommitted()).rejects.toMatchObject({
      code: "GIT_SETTINGS_CHANGED",
      message: expect.stringMatching(/filter\.up\.clean in .*\.git\/config/),
    });
    expect(existsSync(at("ran"))).toBe(false);
  });

  test("cannot come from a file that the configuration includes", async () => {
    put(at("home/.gitconfig"), "[include]\n\tpath = more\n");
    const { repository } = await begun();
    put(at("home/more"), `[filter "other"]\n\tclean = "${leavesTrace("ran")}"\n`);
    put(at("home/.gitconfig"), "[include]\n\tpath = ./more\n");
    await expect(repository.uncommitted()).rejects.toMatchObject({
      code: "GIT_SETTINGS_CHANGED",
      message: expect.stringContaining("filter.other.clean"),
    });
  });
});

test("the user's own git attributes are those of the start", async () => {
  put(at("home/.config/git/attributes"), "");
  const { repository, desk, tree } = await begun();
  put(at("home/.config/git/attributes"), "* text eol=crlf\n");
  world.put(desk, "lines.txt", "one\r\n");
  const { changes, bytes } = await repository.capture(desk, tree);
  expect(changes.map(({ post }) => post && Buffer.from(bytes(post.sha256)).toString())).toEqual(["one\r\n"]);
});
