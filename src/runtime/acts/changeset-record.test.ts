import { expect, test } from "vitest";
import { someTree } from "../../../test/kernel/some-object-ids.ts";
import { type Change, defaultMode, type Sha256 } from "../../change/change.ts";
import type { TreePath } from "../../change/path.ts";
import type { PolicyRules } from "../../change/policy/policy.ts";
import type { OperationRecord } from "../../changeset/proposal.ts";
import type { Reply } from "../../reply/reply.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { CapturedWork } from "./capture-work.ts";
import { ChangesetRecord } from "./changeset-record.ts";
import { heldChange } from "./held-change.ts";

const image = (text: string) => {
  const bytes = encodeUtf8(text);
  return { sha256: sha256(bytes), size: bytes.length, mode: defaultMode };
};
const change = (path: string, before?: string, after?: string): Change => ({
  path: path as TreePath,
  ...(before !== undefined && { pre: image(before) }),
  ...(after !== undefined && { post: image(after) }),
});
const old = encodeUtf8("old\n");
const heldOf = (...changes: Change[]) => heldChange(changes, () => new Map([[sha256(old), old]]));
const captured = (...changes: Change[]): CapturedWork => ({
  tree: someTree("t"),
  files: changes.map(({ path }) => path),
  refused: [],
  confirmations: [],
  held: heldOf(...changes),
});
const reply = (...paths: string[]): Reply =>
  ({
    operations: paths.map((filePath, index) => ({
      index,
      operation: "create",
      filePath,
      description: `make ${filePath}`,
      content: "",
      preview: true,
    })),
    notes: [],
    outputs: [],
    delegations: [],
    checkpoints: [],
  }) as Reply;
const done = (...paths: string[]): OperationRecord[] =>
  paths.map((path, index) => ({
    index,
    operation: "create",
    path,
    description: `make ${path}`,
    bytes: 1,
    sha256: "b".repeat(64) as Sha256,
  }));
const work = { kind: "work", tree: someTree("t"), files: [], summary: "", outputs: [] } as const;
const refused = { kind: "refused", problems: [] } as const;

function record(rules: Partial<PolicyRules> = {}, allowed: readonly string[] = []): ChangesetRecord {
  return new ChangesetRecord({ rules: { deletes: "ask", ...rules }, allowed });
}

test("operations are recorded as read back from the desk, with the other changes made there", () => {
  const one = record();
  one.read(reply("a.txt"));
  one.carriedOut({ kind: "done", operations: done("a.txt") });
  one.captured(captured(change("a.txt", undefined, "abc"), change("b.txt", "x", "yz")));
  expect(one.facts(work)?.changeset).toEqual({
    total: 2,
    operations: [
      {
        number: 1,
        operation: "create",
        path: "a.txt",
        description: "make a.txt",
        bytes: 3,
        sha256: image("abc").sha256,
      },
      { number: 2, operation: "edit", path: "b.txt", bytes: 2, sha256: image("yz").sha256 },
    ],
  });
});

test("an operation on a file that is not in the captured work is recorded as such", () => {
  const one = record();
  one.read(reply("dist/a.js"));
  one.carriedOut({ kind: "done", operations: done("dist/a.js") });
  one.captured(captured());
  expect(one.facts(work)?.changeset.operations).toMatchObject([
    { path: "dist/a.js", bytes: 1, is_outside_work: true },
  ]);
});

test("each operation of a refused reply is recorded with its own reason, by number or path, however it is spelt", () => {
  const one = record();
  one.read(reply("./a.txt", "b.txt", "c.txt"));
  one.carriedOut({
    kind: "refused",
    problems: [
      { code: "X", index: 1, message: "b is wrong", hint: "" },
      { code: "Y", path: "a.txt", message: "a may not be written", hint: "" },
    ],
    operations: done("a.txt"),
    held: heldOf(),
  });
  expect(one.facts(refused)?.changeset.operations.map(({ path, failure }) => [path, failure])).toEqual([
    ["a.txt", "a may not be written"],
    ["b.txt", "b is wrong"],
    ["c.txt", undefined],
  ]);
});

test("of thousands of operations a hundred are recorded, the refused ones among them, and all are counted", () => {
  const one = record();
  const paths = Array.from({ length: 5000 }, (_, at) => `f${at}`);
  one.read(reply(...paths));
  const problems = [{ code: "X", index: 4000, message: "no", hint: "" }];
  one.carriedOut({ kind: "refused", problems, operations: [], held: heldOf() });
  const { operations, total } = one.facts(refused)?.changeset ?? { operations: [], total: 0 };
  expect(total).toBe(5000);
  expect(operations).toHaveLength(100);
  expect(operations.at(-1)).toMatchObject({ number: 4001, failure: "no" });
});

test("a recorded delete says who answers it, and an allowed one is not requested again", () => {
  const answers = (rules: Partial<PolicyRules>, kind: "work" | "refused" | "needs-confirmation") => {
    const one = record(rules);
    one.captured(captured(change("old.txt", "old\n")));
    const result =
      kind === "needs-confirmation"
        ? ({ kind, digest: "", items: [] } as const)
        : { ...work, ...refused, kind };
    return one.facts(result as never)?.deletes?.files.map(({ answer }) => answer);
  };
  expect(answers({ deletes: "ask" }, "needs-confirmation")).toEqual(["asked"]);
  expect(answers({ deletes: "always-allow" }, "work")).toEqual(["allowed"]);
  expect(answers({ deletes: "declared", declaredDeletes: ["old.txt"] }, "work")).toEqual(["allowed"]);
  expect(answers({ deletes: "never" }, "refused")).toEqual(["refused"]);
  expect(answers({ deletes: "ask" }, "refused")).toEqual(["dropped"]);
  const allowed = record({}, [`${image("old\n").sha256} old.txt`]);
  allowed.captured(captured(change("old.txt", "old\n")));
  expect(allowed.facts(work)?.deletes).toBeUndefined();
});

test("a recorded delete has its content", () => {
  const one = record();
  one.captured(captured(change("old.txt", "old\n")));
  expect(one.facts({ kind: "needs-confirmation", digest: "", items: [] })?.deletes).toMatchObject({
    policy: "ask",
    total: 1,
    files: [{ path: "old.txt", bytes: 4, preview: ["old"], lines: 1 }],
  });
});

test("a reply without a changeset leaves no record of one", () => {
  const one = record();
  one.read(reply("a.txt"));
  expect(one.facts({ kind: "incomplete", reason: "no" })).toBeUndefined();
  expect(one.facts({ kind: "question", text: "?", options: [] })).toBeUndefined();
});
