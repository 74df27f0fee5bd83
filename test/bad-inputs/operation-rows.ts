/** Operations: what does not fit the file that is there, and what is no operation at all. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { append, create, edit, type Place, type Row, remove, replyOf } from "./row.ts";

export const operationRows: readonly Row[] = [
  {
    id: "OPS-01",
    about: "create on a file that is there",
    setUp: file("a.txt", "a\n"),
    reply: () => replyOf(create("a.txt")),
    expect: { refused: "OPS_EXISTS" },
  },
  {
    id: "OPS-02",
    about: "edit of a file that is not there",
    reply: () => replyOf(edit("a.txt", ["a", "b"])),
    expect: { refused: "OPS_MISSING" },
  },
  {
    id: "OPS-03",
    about: "nothing to find",
    setUp: file("a.txt", "a\n"),
    reply: () => replyOf(edit("a.txt", ["", "b"])),
    expect: { refused: "OPS_EMPTY_FIND" },
  },
  {
    id: "OPS-04",
    about: "a text that is not in the file",
    setUp: file("a.txt", "a\n"),
    reply: () => replyOf(edit("a.txt", ["z", "b"])),
    expect: { refused: "OPS_FIND_NOT_FOUND" },
  },
  {
    id: "OPS-05",
    about: "a text that is there twice",
    setUp: file("a.txt", "a a\n"),
    reply: () => replyOf(edit("a.txt", ["a", "b"])),
    expect: { refused: "OPS_FIND_AMBIGUOUS" },
  },
  {
    id: "OPS-06",
    about: "dollar signs are only dollar signs",
    setUp: file("a.txt", "abc\n"),
    reply: () => replyOf(edit("a.txt", ["b", "$& $` $' $1 $$"])),
    expect: { applied: { "a.txt": "a$& $` $' $1 $$c\n" } },
  },
  {
    id: "OPS-09",
    about: "a byte order mark stays",
    setUp: file("a.txt", "\ufeffabc\n"),
    reply: () => replyOf(edit("a.txt", ["b", "B"])),
    expect: { applied: { "a.txt": "\ufeffaBc\n" } },
  },
  {
    id: "OPS-12",
    about: "two matches that overlap",
    setUp: file("a.txt", "aaa\n"),
    reply: () => replyOf(edit("a.txt", ["aa", "b"])),
    expect: { refused: "OPS_FIND_AMBIGUOUS" },
  },
  {
    id: "OPS-13",
    about: "append invents no line break",
    setUp: file("a.txt", "one"),
    reply: () => replyOf(append("a.txt", "two")),
    expect: { applied: { "a.txt": "onetwo" } },
  },
  {
    id: "OPS-16",
    about: "made, edited and deleted in one reply",
    reply: () => replyOf(create("a.txt", "a\n"), edit("a.txt", ["a", "b"]), remove("a.txt")),
    expect: {
      applied: { "a.txt": null },
      check: ({ root }) => expect(existsSync(join(root, "a.txt"))).toBe(false),
    },
  },
  {
    id: "OPS-22",
    about: "10,001 operations",
    reply: () => replyOf(...Array.from({ length: 10_001 }, (_, at) => create(`f${at}`, ""))),
    expect: { refused: "LIMIT_OPS" },
  },
  ...["rm", "Create", "create ", "chmod", "symlink", "exec"].map(
    (operation): Row => ({
      id: `${["chmod", "symlink", "exec"].includes(operation) ? "OPS-24" : "OPS-23"} ${JSON.stringify(operation)}`,
      about: "no operation of ours",
      reply: () => replyOf(create("fine.txt"), { ...create("a.txt"), operation }),
      expect: { refused: "SCHEMA_ENUM" },
    }),
  ),
  {
    id: "OPS-25",
    about: "no content",
    reply: () => replyOf({ operation: "create", file_path: "a.txt", description: "Make this file here" }),
    expect: { refused: "SCHEMA_REQUIRED" },
  },
  ...[null, 5, {}, ["line1"]].map(
    (content): Row => ({
      id: `OPS-26 ${JSON.stringify(content)}`,
      about: "content that is no text",
      reply: () => replyOf(create("a.txt", content)),
      expect: { refused: "SCHEMA_TYPE" },
    }),
  ),
  ...[{ mode: "0777" }, { encoding: "hex" }].map(
    (extra): Row => ({
      id: `OPS-27 ${Object.keys(extra)}`,
      about: "a field that does not exist",
      reply: () => replyOf({ ...create("a.txt"), ...extra }),
      expect: { refused: "SCHEMA_UNKNOWN_KEY" },
    }),
  ),
  {
    id: "OPS edit_instructions",
    about: "an edit in words only",
    setUp: file("a.txt", "a\n"),
    reply: () =>
      replyOf({
        operation: "edit",
        file_path: "a.txt",
        description: "Make it better somehow",
        edit_instructions: "Rename a to b",
      }),
    expect: { refused: "OPS_NEEDS_EDITOR" },
  },
];

function file(name: string, content: string): (place: Place) => void {
  return ({ root }) => writeFileSync(join(root, name), content);
}
