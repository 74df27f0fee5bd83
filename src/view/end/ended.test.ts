import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { type ApplyEnd, type ApplyReport, endedDocument, endedText } from "./ended.ts";

const problem = { code: "X", message: "is wrong", hint: "Do it right.", index: 1 };
const operation = { operation: "create", path: "a", bytes: 1, sha256: "0", preview: null };
const operations = [
  { ...operation, index: 0 },
  { ...operation, index: 1 },
];

const ended = (ending: ApplyEnd): ApplyReport => ({ ending, operations, warnings: [] });

test.each<[ApplyEnd, string[], boolean, number]>([
  [{ name: "applied", id: "k", files: 2, interrupted: false }, ["applied", "applied"], true, 2],
  [{ name: "planned", confirmations: [problem] }, ["planned", "planned"], true, 0],
  [{ name: "waiting", problems: [problem] }, ["planned", "planned"], false, 0],
  [{ name: "refused", problems: [problem] }, ["skipped", "refused"], false, 0],
  [{ name: "duplicate", id: "k" }, ["skipped", "skipped"], true, 0],
])("the outcome $name gives its operations the right status", (ending, statuses, ok, applied) => {
  const document = endedDocument(ended(ending));
  expect(document.operations.map(({ status }) => status)).toEqual(statuses);
  expect(document).toMatchObject({ ok, applied });
});

test("a dry run's confirmations are listed as warnings, not as errors", () => {
  const document = endedDocument(ended({ name: "planned", confirmations: [problem] }));
  expect([document.errors.length, document.warnings.length]).toEqual([0, 1]);
});

test("the end of cox apply names a changeset only when there is one", () => {
  expect(endedDocument(ended({ name: "refused", problems: [problem] })).changeset).toBeNull();
  expect(endedDocument(ended({ name: "duplicate", id: "k" })).changeset).toBe("k");
});

test("an interrupt that came too late to stop a changeset is mentioned", () => {
  const late = endedText(ended({ name: "applied", id: "k", files: 2, interrupted: true }), noPaint, noPaint);
  expect(late.result).toBe("✓ 2 of 2 files on disk, read back · changeset k · undo: cox undo k\n");
  expect(late.notice).toMatch(/so it was finished/);
});

test("operations that cancel out leave nothing to undo, and it is not offered", () => {
  const { result } = endedText(
    ended({ name: "applied", id: "k", files: 0, interrupted: false }),
    noPaint,
    noPaint,
  );
  expect(result).toBe("✓ nothing to change: the operations cancel out\n");
});
