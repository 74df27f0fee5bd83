/**
 * The user's state is never touched: uncommitted work, index, stash, refs, hooks and configuration are byte for byte
 * the same after a run, a rollback and a refused landing.
 */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunWorld, type RunWorldOptions } from "./run-world.ts";
import { snapshot } from "./snapshot.ts";

const plan = `---
verify: test -f README.md
---
## Tasks
- [ ] one
- [ ] two
  - Needs: one
`;
/** Writes new files, a changed one, and one in a new folder. */
const agent = `cat > /dev/null
mkdir -p deep/$COX_TASK; echo "$COX_TASK" | tee deep/$COX_TASK/a.txt > $COX_TASK.txt
echo "$COX_TASK" >> lines.txt; echo "Done."
`;
const options: RunWorldOptions = {
  plan,
  agents: { dev: agent },
  files: { "README.md": "Here.\n", "lines.txt": "first\nsecond\n", "kept.txt": "kept\n" },
};

const peculiarities: Record<string, (world: RunWorld) => void> = {
  "with hooks": (world) => {
    for (const hook of [
      "pre-commit",
      "post-checkout",
      "post-merge",
      "post-index-change",
      "reference-transaction",
    ]) {
      world.write({ [`.git/hooks/${hook}`]: `#!/bin/sh\necho ${hook} >> "${world.folder}/hooked"\n` });
      chmodSync(join(world.root, ".git/hooks", hook), 0o755);
    }
  },
  "with core.autocrlf": (world) => {
    world.git("config", "core.autocrlf", "true");
    world.git("rm", "-q", "--cached", "-r", ".");
    world.git("reset", "-q", "--hard");
  },
  "with a detached HEAD": (world) => void world.git("checkout", "-q", "--detach"),
};

/** Some of each: staged, unstaged, untracked, stashed. */
function leaveWork(world: RunWorld): void {
  world.write({ "kept.txt": "stashed\n" });
  world.git("stash", "-q");
  world.write({ "kept.txt": "staged\n", "new.txt": "staged and new\n" });
  world.git("add", "kept.txt", "new.txt");
  world.write({ "kept.txt": "not even staged\n", "untracked.txt": "mine\n" });
}

/** The user's whole checkout and git directory, except our own branches, refs and objects. */
function userState(world: RunWorld): Record<string, string> {
  const ours = /^\.git\/(objects|refs\/coxswain|refs\/heads\/cox|logs\/refs\/(heads\/cox|coxswain))(\/|$)/;
  return Object.fromEntries(Object.entries(snapshot(world.root)).filter(([path]) => !ours.test(path)));
}

describe.each(Object.entries(peculiarities))("a repository %s", (_, prepare) => {
  test("is as it was after a run, a rollback and a landing that is refused", async () => {
    const world = new RunWorld(options);
    prepare(world);
    leaveWork(world);
    const before = userState(world);
    const hooked = () => snapshot(world.folder).hooked;
    const hookedBefore = hooked();
    const ran = await world.cox("run", "plan.md", "--yes");
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(userState(world)).toEqual(before);

    const back = await world.cox("rollback", "two", "--yes");
    expect(back.exitCode, back.stderr).toBe(0);
    expect(userState(world)).toEqual(before);

    world.write({ "one.txt": "in the way\n" });
    const inTheWay = userState(world);
    const refused = await world.cox("land", "--yes", "--json");
    expect(refused.exitCode, refused.stdout).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      errors: [{ message: expect.stringContaining("one.txt") }],
    });
    expect(userState(world)).toEqual(inTheWay);
    expect(hooked()).toBe(hookedBefore);
    expect(world.show("deep/one/a.txt")).toBe("one");
  });
});

test("cox run refuses a repository with a submodule with exit code 5, and creates nothing", async () => {
  const world = new RunWorld(options);
  const other = new RunWorld(options);
  world.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "sub");
  world.commitAll("with a submodule");
  const before = snapshot(world.root);
  const { exitCode, stdout } = await world.cox("run", "plan.md", "--yes", "--json");
  expect(exitCode).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    errors: [{ code: expect.stringContaining("SUBMODULE") }],
  });
  expect(snapshot(world.root)).toEqual(before);
});
