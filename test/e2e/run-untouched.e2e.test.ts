/**
 * What is the user's stays the user's: uncommitted work, index, stash, refs, hooks and configuration are byte for byte as
 * they were after a run, a rollback and a landing that is refused; a landing that is killed is there wholly, or not at all.
 */
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Random } from "../crash/random.ts";
import { type RunWish, RunWorld } from "./run-world.ts";
import { snapshot } from "./snapshot.ts";

const plan = `---
verify: test -f README.md
---
## Tasks
- [ ] one
- [ ] two
  - Needs: one
`;
/** New files, a changed one, one in a new folder. */
const agent = `cat > /dev/null
mkdir -p deep/$COX_TASK; echo "$COX_TASK" | tee deep/$COX_TASK/a.txt > $COX_TASK.txt
echo "$COX_TASK" >> lines.txt; echo "Done."
`;
const wish: RunWish = {
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

/** Staged, unstaged, untracked, stashed: of each something. */
function leaveWork(world: RunWorld): void {
  world.write({ "kept.txt": "stashed\n" });
  world.git("stash", "-q");
  world.write({ "kept.txt": "staged\n", "new.txt": "staged and new\n" });
  world.git("add", "kept.txt", "new.txt");
  world.write({ "kept.txt": "not even staged\n", "untracked.txt": "mine\n" });
}

/** All of the user's checkout and git directory, but for our own branches, refs and objects. */
function userState(world: RunWorld): Record<string, string> {
  const ours = /^\.git\/(objects|refs\/coxswain|refs\/heads\/cox|logs\/refs\/(heads\/cox|coxswain))(\/|$)/;
  return Object.fromEntries(Object.entries(snapshot(world.root)).filter(([path]) => !ours.test(path)));
}

describe.each(Object.entries(peculiarities))("a repository %s", (_, prepare) => {
  test("is as it was after a run, a rollback and a landing that is refused", async () => {
    const world = new RunWorld(wish);
    prepare(world);
    leaveWork(world);
    const before = userState(world);
    const hooked = () => snapshot(world.folder).hooked;
    const hookedBefore = hooked();
    const ran = await world.cox(["run", "plan.md", "--yes"]);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(userState(world)).toEqual(before);

    const back = await world.cox(["rollback", "two", "--yes"]);
    expect(back.exitCode, back.stderr).toBe(0);
    expect(userState(world)).toEqual(before);

    world.write({ "one.txt": "in the way\n" });
    const inTheWay = userState(world);
    const refused = await world.cox(["land", "--yes", "--json"]);
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

test("a repository with a submodule is refused with exit code 5, and nothing is made", async () => {
  const world = new RunWorld(wish);
  const other = new RunWorld(wish);
  world.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "sub");
  world.commitAll("with a submodule");
  const before = snapshot(world.root);
  const { exitCode, stdout } = await world.cox(["run", "plan.md", "--yes", "--json"]);
  expect(exitCode).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    errors: [{ code: expect.stringContaining("SUBMODULE") }],
  });
  expect(snapshot(world.root)).toEqual(before);
});

/** Files, index and branch, as the user sees them. */
function landing(world: RunWorld) {
  const files = Object.entries(snapshot(world.root)).filter(
    ([path]) => !path.startsWith(".git/") && path !== ".git",
  );
  return {
    files: Object.fromEntries(files),
    head: world.git("rev-parse", "HEAD"),
    index: world.git("ls-files", "-s"),
    status: world.git("status", "--porcelain"),
    stash: world.git("stash", "list"),
  };
}

const kills = 10;

test(`a landing that is killed ${kills} times at any moment is there wholly, or not at all`, async () => {
  const seed = Number(process.env.COX_SEED ?? Math.floor(Math.random() * 1e6));
  const random = new Random(seed);
  const world = new RunWorld(wish);
  leaveWork(world);
  const ran = await world.cox(["run", "plan.md", "--yes"]);
  expect(ran.exitCode, ran.stderr).toBe(0);
  const before = landing(world);
  const tip = world.git("rev-parse", world.branch);

  let longestMs = 1500;
  for (let kill = 1; kill <= kills; kill++) {
    const told = `COX_SEED=${seed}, kill ${kill}`;
    const started = performance.now();
    const { child, ended } = world.start(["land", "--yes"]);
    const ofLanding = world.eventsOf("landing_prepared").length;
    // Half of them while it really lands, which is short.
    if (random.chance(0.5)) {
      while (world.eventsOf("landing_prepared").length === ofLanding && child.exitCode === null)
        await sleep(1);
      await sleep(random.below(60));
    } else await sleep(random.below(longestMs));
    child.kill("SIGKILL");
    const { exitCode } = await ended;
    if (exitCode === 0) longestMs = performance.now() - started;
    // Whatever comes next puts it in order; this one changes nothing of itself.
    const next = await world.cox(["resume"]);
    expect([0, 1], `${told}: ${next.stderr}`).toContain(next.exitCode);
    const after = landing(world);
    if (after.head === before.head) expect(after, told).toEqual(before);
    else {
      expect(after.head, told).toBe(tip);
      expect(after.status, told).toBe(before.status);
      expect(after.stash, told).toBe(before.stash);
      expect(readFileSync(join(world.root, "lines.txt"), "utf8"), told).toBe("first\nsecond\none\ntwo\n");
      const own = (files: Record<string, string>) => [
        files["kept.txt"],
        files["new.txt"],
        files["untracked.txt"],
      ];
      expect(own(after.files), told).toEqual(own(before.files));
      return;
    }
  }
  const last = await world.cox(["land", "--yes"]);
  expect(last.exitCode, last.stderr).toBe(0);
  expect(landing(world)).toMatchObject({ head: tip, status: before.status, stash: before.stash });
});
