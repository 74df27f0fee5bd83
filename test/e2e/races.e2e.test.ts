/** What changes between the check and the act: somebody's edit, a swapped file, the root itself, another task. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile, judgeChanges, readReply, sha256 } from "../../src/index.ts";
import { create, edit, type OperationObject, remove, replyOf } from "../bad-inputs/row.ts";
import { openChangesets } from "../bad-inputs/through-library.ts";
import { folderWith } from "./folder.ts";

test("OPS-20 an edit made by a person meanwhile is never overwritten, and nothing else is applied", async () => {
  const root = folderWith({ "a.txt": "one\n", "b.txt": "one\n" });
  const outcome = await racing(root, [edit("b.txt", ["one", "two"]), edit("a.txt", ["one", "two"])], () =>
    writeFileSync(join(root, "a.txt"), "mine\n"),
  );
  expect(outcome).toMatchObject({ outcome: "refused", problems: [{ code: "TXN_CONFLICT", path: "a.txt" }] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("mine\n");
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("one\n");
});

test("LINK-14 a file swapped for a link meanwhile is not followed", async () => {
  const outside = folderWith({ victim: "one\n" });
  const root = folderWith({ "a.txt": "one\n" });
  const outcome = await racing(root, [edit("a.txt", ["one", "two"])], () => {
    rmSync(join(root, "a.txt"));
    symlinkSync(join(outside, "victim"), join(root, "a.txt"));
  });
  expect(outcome).toMatchObject({ outcome: "refused", problems: [{ code: "TXN_CONFLICT" }] });
  expect(readFileSync(join(outside, "victim"), "utf8")).toBe("one\n");
});

test("LINK-16 a root that is deleted meanwhile is reported, and not created again", async () => {
  const root = folderWith();
  const applying = racing(root, [create("a.txt")], () => rmSync(root, { recursive: true }));
  await expect(applying).rejects.toMatchObject({ code: "ROOT_GONE" });
  expect(existsSync(root)).toBe(false);
});

test("OPS-18 a file that another running task has claimed is not deleted", () => {
  const root = folderWith({ "src/a.txt": "one\n" });
  const pre = { sha256: sha256("one\n"), size: 4, mode: 0o644 };
  const path = "src/a.txt" as Parameters<typeof judgeChanges>[0][number]["path"];
  const judgement = judgeChanges([{ path, pre }], {
    contents: new Map(),
    before: () => readFileSync(join(root, "src/a.txt")),
    names: () => [],
    isRepository: () => false,
    rules: { deletes: "always-allow", writesOfOthers: ["src/**"] },
  });
  expect(judgement.refused).toMatchObject([{ code: "CLAIM_VIOLATION", path: "src/a.txt" }]);
});

test("JSON-17 a reply cut off at any byte is refused, and never in part", () => {
  const whole = new TextEncoder().encode(replyOf(create("a.txt"), remove("b.txt"), create("é.txt")).trim());
  const end = whole.lastIndexOf("}".charCodeAt(0)) + 1;
  for (let length = 0; length < end; length++) {
    const { reply, problems } = readReply(whole.slice(0, length));
    expect(reply, `cut at ${length}`).toBeUndefined();
    expect(problems.length, `cut at ${length}`).toBeGreaterThan(0);
  }
});

async function racing(root: string, operations: readonly OperationObject[], meanwhile: () => void) {
  const changesets = await openChangesets(root);
  try {
    const { reply } = readReply(replyOf(...operations));
    const compiled = compile(reply?.operations ?? [], { root, disk: changesets.disk, hash: sha256 });
    expect(compiled.problems).toEqual([]);
    meanwhile();
    const { changes, contents } = compiled;
    return await changesets.apply({ id: "race", changes, contents, about: { operations: [] } });
  } finally {
    changesets.close();
  }
}
