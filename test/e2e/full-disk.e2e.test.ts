/**
 * A disk that fills up at any moment: the program reports it, leaves nothing half done, and continues when there is
 * space.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { create, edit, remove, replyOf } from "../bad-inputs/row.ts";
import { sized } from "../sized.ts";
import { appliedIds } from "./ledger.ts";
import { cox } from "./program.ts";
import { RunWorld } from "./run-world.ts";
import { SmallDisk } from "./small-disk.ts";
import { snapshot } from "./snapshot.ts";

const files = { "a.txt": "one\n", "old/gone.txt": "gone\n" };
const operations = [
  create("new/deep/b.txt"),
  create("new/other/c.txt"),
  create("d.txt", "d\n".repeat(5000)),
  edit("a.txt", ["one", "two"]),
  remove("old/gone.txt"),
];

/** The step from one amount of free space to the next larger one. */
const stride = sized({ sample: 3, campaign: 1 });

function apply(cwd: string, stdin = replyOf(...operations)) {
  return cox(["apply", "--yes", "--json", "--id", "k"], { cwd, stdin });
}

test("LOG-20 a reply that does not fit on the disk is exit 74 and changes nothing; with room it is applied", async (context) => {
  const disk = SmallDisk.mount(context);
  disk.begin(files);
  disk.leavePages(64);
  const before = snapshot(disk.root);
  const large = replyOf(...operations, create("large.txt", "large\n".repeat(100_000)));
  const refused = await apply(disk.root, large);
  expect(refused.exitCode).toBe(74);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    ok: false,
    applied: 0,
    errors: [{ code: "IO_ENOSPC", message: expect.stringContaining("nothing was changed") }],
  });
  expect(snapshot(disk.root)).toEqual(before);
  expect(existsSync(join(disk.root, ".coxswain/changesets/k")), "its space is given back").toBe(false);

  const small = await cox(["apply"], { cwd: disk.root, stdin: replyOf(create("small.txt")) });
  expect(small.exitCode).toBe(0);
  disk.widen();
  expect((await apply(disk.root, large)).exitCode).toBe(0);
  expect(Object.keys(snapshot(disk.root))).toEqual(expect.arrayContaining(["large.txt", "new/deep/b.txt"]));
});

test.for([
  { what: "bytes", leave: "leavePages", past: false },
  // After the commit point only names are created, so this is a disk that fills up between stage and apply.
  { what: "names", leave: "leaveNames", past: true },
] as const)(
  "LOG-20 wherever the $what run out, cox apply exits with 74 and changes nothing; with more of them the reply is applied",
  async ({ what, leave, past }, context) => {
    const disk = SmallDisk.mount(context);
    disk.begin(files);
    const before = snapshot(disk.root);
    expect((await apply(disk.root)).exitCode).toBe(0);
    const after = snapshot(disk.root);

    const failures = { beforeCommit: 0, takenBack: 0 };
    for (let left = 0; ; left += stride) {
      disk.begin(files);
      disk[leave](left);
      const { exitCode, stdout } = await apply(disk.root);
      if (exitCode === 0) break;
      const where = `${left} ${what} left: ${stdout}`;
      expect(exitCode, where).toBe(74);
      const [error] = JSON.parse(stdout).errors;
      expect(error.code, where).toBe("IO_ENOSPC");
      expect(snapshot(disk.root), where).toEqual(before);
      failures[error.message.includes("was undone") ? "takenBack" : "beforeCommit"]++;

      disk.widen();
      expect((await apply(disk.root)).exitCode, `with space again, after ${where}`).toBe(0);
      expect(snapshot(disk.root), where).toEqual(after);
      expect(appliedIds(disk.root), where).toEqual(["k"]);
    }
    expect(snapshot(disk.root)).toEqual(after);
    expect(failures.beforeCommit).toBeGreaterThan(5 / stride);
    expect(failures.takenBack > 0).toBe(past);
  },
);

const large = `cat > /dev/null
head -c 300000 /dev/urandom | base64 > "$COX_TASK.txt"
echo "READY FOR AUDIT: $COX_TASK"
`;
const threeTasks = `---
verify: test -f README.md
active-developers: 3
---
## Tasks
- [ ] one
- [ ] two
- [ ] three
`;

test("LOG-20 a run on a full disk reports that once, and can be resumed when there is room", async (context) => {
  const disk = SmallDisk.mount(context);
  let failures = 0;
  let exit: number | null = null;
  for (let pages = 24; exit !== 0; pages *= 3) {
    disk.begin({});
    const files = { "README.md": "Here.\n" };
    const world = new RunWorld({ plan: threeTasks, agents: { dev: large }, files }, disk.root);
    disk.leavePages(pages);
    const { exitCode, stdout, stderr } = await world.cox("run", "plan.md", "--yes", "--no-input");
    exit = exitCode;
    if (exitCode === 0) break;
    failures += 1;
    const lines = stderr.split("\n");
    const pauses = lines.filter((line) => /paused by trouble/.test(line));
    // The log itself may be what finds no room, before the run was paused or while its last agents end.
    const ends = lines.filter((line) => /IO_ENOSPC|no space left/.test(line) && !pauses.includes(line));
    const told = [pauses.length, ends.length].join();
    expect(["1,0", "0,1", "1,1"], `${pages} pages left\n${stderr}\n${stdout}`).toContain(told);
    expect(stderr).not.toContain("ENOSPC: ENOSPC");
    disk.widen();
    const begun = world.findRun() !== undefined;
    const done = await (begun ? world.cox("resume") : world.cox("run", "plan.md", "--yes", "--no-input"));
    expect(done.exitCode, `with space again, after ${pages} pages: ${done.stderr}`).toBe(0);
  }
  expect(failures).toBeGreaterThan(1);
});
