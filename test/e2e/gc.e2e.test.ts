/** `cox gc` by age: what undoing old changesets needs, and replies that nobody approved. */
import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { edit, replyOf } from "../bad-inputs/row.ts";
import { RunWorld } from "./run-world.ts";

const reply = ".coxswain/waiting/0123abcd.json";

test("cox gc removes and names old files that only an undo or a waiting reply would need", async () => {
  const world = new RunWorld({ files: { "a.txt": "v0\n" } });
  for (let at = 0; at <= 20; at += 1) {
    const stdin = replyOf(edit("a.txt", [`v${at}`, `v${at + 1}`]));
    expect(await world.with({ stdin }).cox("apply", "--id", `c${at}`)).toMatchObject({ exitCode: 0 });
  }
  world.write({ [reply]: "{}" });
  const longAgo = new Date(Date.now() - 40 * 86_400_000);
  utimesSync(join(world.root, reply), longAgo, longAgo);

  const shown = await world.json("gc", "--dry-run", "--days", "0");
  expect(shown).toMatchObject({ changesets: [{ id: "c0", bytes: 3 }], replies: [{ path: reply, bytes: 2 }] });
  expect(existsSync(join(world.root, reply))).toBe(true);
  const usual = await world.cox("gc");
  expect(usual.stdout).toContain("✓ 0 desks (0 B) and 0 refs, 1 waiting reply removed");
  expect(existsSync(join(world.root, reply))).toBe(false);
  const { stdout, stderr } = await world.cox("gc", "--days", "0");
  expect(stdout).toContain("and 0 refs, the undo of 1 changeset removed");
  expect(stderr).toMatch(/changeset c0 of \d{4}-\d\d-\d\d: the files for its undo {2}3 B\n/);

  expect((await world.cox("undo", "--list")).stdout).toMatch(/^c0 .* no longer undoable$/m);
  const refused = await world.cox("undo", "c0");
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("UNDO_CLEARED") });
  expect((await world.cox("undo")).exitCode).toBe(0);
  expect(world.read("a.txt")).toBe("v20\n");
  expect((await world.cox("gc", "--days", "many")).exitCode).toBe(2);
});
