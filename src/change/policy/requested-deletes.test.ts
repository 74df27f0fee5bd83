import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { type Change, defaultMode, type Sha256 } from "../change.ts";
import type { TreePath } from "../path.ts";
import { requestedDeletes } from "./requested-deletes.ts";

const image = { sha256: "a".repeat(64) as Sha256, size: 3, mode: defaultMode };
const gone = (path: string): Change => ({ path: path as TreePath, pre: image });
const before = () => encodeUtf8("x\n");

test("only a file that is gone afterwards counts as deleted", () => {
  const edited = { ...gone("edited"), post: image };
  const made = { path: "made" as TreePath, post: image };
  const { files, total } = requestedDeletes([edited, gone("old"), made], before);
  expect(files).toEqual([{ path: "old", bytes: 3, sha256: image.sha256, preview: ["x"], lines: 1 }]);
  expect(total).toBe(1);
});

test("of a thousand deleted files the first hundred are named, twenty with their content, and all are counted", () => {
  const many = Array.from({ length: 1000 }, (_, at) => gone(`f${at}`));
  const { files, total } = requestedDeletes(many, before);
  expect(total).toBe(1000);
  expect(files).toHaveLength(100);
  expect(files.filter(({ preview }) => preview !== undefined)).toHaveLength(20);
});

test("the content of a deleted file whose name marks it as secret is not shown", () => {
  const { files } = requestedDeletes([gone(".env")], before);
  expect(files).toEqual([{ path: ".env", bytes: 3, sha256: image.sha256 }]);
});
