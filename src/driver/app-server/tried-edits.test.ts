import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capturedTurn } from "../../../test/codex/captured-turn.ts";
import { applyPatch } from "../../change/edit/patch.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { TriedEdits } from "./tried-edits.ts";

type Operation = Readonly<Record<string, string>>;

function deskWith(files: Readonly<Record<string, string>>) {
  const edits = new TriedEdits({
    folder: "/desk",
    read: (path) => (files[path] === undefined ? undefined : encodeUtf8(files[path])),
  });
  const found = new Map<string, readonly Operation[]>();
  return {
    take(...changes: object[]) {
      for (const { path, operations } of edits.take(changes)) found.set(path, operations as Operation[]);
    },
    operations: () => [...found.values()].flat(),
    /** The text of a file once the operations are carried out. */
    text(path: string) {
      const [operation] = found.get(path) ?? [];
      if (operation?.patch === undefined) return operation?.content;
      const result = applyPatch(encodeUtf8(files[path] ?? ""), operation.patch, path);
      if ("problem" in result) throw new Error(`${result.problem.message}\n${operation.patch}`);
      return decodeUtf8(result.bytes);
    },
  };
}

const file = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
const update = (path: string, diff: string, move_path: string | null = null) => ({
  path: `/desk/${path}`,
  kind: { type: "update", move_path },
  diff: move_path === null ? diff : `${diff}\n\nMoved to: ${move_path}`,
});
const add = (path: string, diff: string) => ({ path: `/desk/${path}`, kind: { type: "add" }, diff });
const remove = (path: string) => ({ path: `/desk/${path}`, kind: { type: "delete" }, diff: "x" });
const two = (by: string) => update("a", `@@ -1,3 +1,3 @@\n one\n-two\n+${by}\n three\n`);
const seven = (by: string) => update("a", `@@ -6,3 +6,3 @@\n six\n-seven\n+${by}\n eight\n`);

describe("an app server's edits of one file", () => {
  test("to different lines add up, in any order", () => {
    for (const changes of [
      [two("2"), seven("7")],
      [seven("7"), two("2")],
    ]) {
      const desk = deskWith({ a: file });
      for (const change of changes) desk.take(change);
      expect(desk.operations()).toMatchObject([
        { operation: "edit", file_path: "a", description: "Taken from 2 edits of the agent" },
      ]);
      expect(desk.text("a")).toBe(file.replace("two", "2").replace("seven", "7"));
    }
  });

  test("to the same lines: the later one counts, and what it leaves alone stays", () => {
    const desk = deskWith({ a: file });
    desk.take(update("a", "@@ -1,5 +1,5 @@\n one\n-two\n+2\n three\n-four\n+4\n five\n"));
    desk.take(two("zwei"));
    expect(desk.text("a")).toBe(file.replace("two", "zwei").replace("four", "4"));
  });

  test("that overlap: nothing of the earlier one is left there", () => {
    const desk = deskWith({ a: file });
    desk.take(update("a", "@@ -1,4 +1,3 @@\n one\n-two\n-three\n+2 and 3\n four\n"));
    desk.take(update("a", "@@ -2,4 +2,3 @@\n two\n-three\n-four\n+3 and 4\n five\n"));
    expect(desk.text("a")).toBe("one\ntwo\n3 and 4\nfive\nsix\nseven\neight\n");
  });

  test("that add at the same place: the later one counts; beside it both do", () => {
    const at = (line: string) => update("a", `@@ -8 +8,2 @@\n eight\n+${line}\n`);
    const desk = deskWith({ a: file });
    desk.take(at("nine"));
    desk.take(at("9"));
    expect(desk.text("a")).toBe(`${file}9\n`);
    desk.take(update("a", "@@ -7,2 +7,2 @@\n seven\n-eight\n+8\n"));
    expect(desk.text("a")).toBe(file.replace("eight", "8").concat("9\n"));
  });

  test("that add within lines which a later one replaces are gone", () => {
    const desk = deskWith({ a: file });
    desk.take(update("a", "@@ -2,2 +2,3 @@\n two\n+2½\n three\n"));
    desk.take(update("a", "@@ -1,4 +1,3 @@\n one\n-two\n-three\n+2-3\n four\n"));
    expect(desk.text("a")).toBe("one\n2-3\nfour\nfive\nsix\nseven\neight\n");
  });

  test("that add lines without context are placed after the line that they state", () => {
    const desk = deskWith({ a: file, empty: "" });
    desk.take(update("a", "@@ -3,0 +4 @@\n+3½\n"), update("empty", "@@ -0,0 +1 @@\n+no more\n"));
    desk.take(two("2"));
    expect(desk.text("a")).toBe(file.replace("two", "2").replace("three\n", "three\n3½\n"));
    expect(desk.text("empty")).toBe("no more\n");
  });

  test("that do not touch combine as if they had been one, whatever the text", () => {
    const line = fc.constantFrom("a", "b", "", "-- x", "++ y", "@@ z", "\\ n", "é", "\ufeff");
    const lines = fc.array(line, { minLength: 1, maxLength: 12 });
    const end = fc.constantFrom("\n", "\r\n");
    const property = fc.property(
      ...([lines, lines, lines, end, fc.boolean()] as const),
      (before, after, middle, eol, isEnded) => {
        const whole = (parts: readonly string[][]) => `${parts.flat().join(eol)}${isEnded ? eol : ""}`;
        const kept = ["first", ...middle, "last"];
        const base = whole([before, kept, after]);
        const [early, late] = [whole([["early"], kept, after]), whole([before, kept, ["late"]])];
        const diff = (to: string) =>
          createTwoFilesPatch("a", "a", base, to, "", "", { context: 1 }).replace(/^.*?(?=@@)/s, "");
        const desk = deskWith({ a: base });
        for (const to of [early, late]) if (to !== base) desk.take(update("a", diff(to)));
        if (early !== base || late !== base) expect(desk.text("a")).toBe(whole([["early"], kept, ["late"]]));
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});

describe("an app server's edits of whole files", () => {
  test("a new file is created, an existing one is rewritten, and a removed one is deleted", () => {
    const desk = deskWith({ a: file, c: "gone\n" });
    desk.take(add("a", "all new\n"), add("new/b", "x\n"), remove("c"));
    expect(desk.operations()).toMatchObject([
      { operation: "edit", file_path: "a", content: "all new\n" },
      { operation: "create", file_path: "new/b", content: "x\n" },
      { operation: "delete", file_path: "c" },
    ]);
  });

  test("for a file that was removed and changed, the last edit counts", () => {
    const desk = deskWith({ a: file });
    desk.take(remove("a"));
    desk.take(two("2"));
    expect(desk.text("a")).toBe(file.replace("two", "2"));
    desk.take(remove("a"));
    expect(desk.operations()).toMatchObject([{ operation: "delete" }]);
    desk.take(add("a", "anew\n"));
    expect(desk.operations()).toMatchObject([{ operation: "edit", content: "anew\n" }]);
  });

  test("a moved file is created at its new path and deleted at the old one, with all its edits", () => {
    const desk = deskWith({ a: file });
    desk.take(seven("7"));
    desk.take({ ...two("2"), ...update("a", two("2").diff, "/desk/b") });
    expect(desk.operations()).toMatchObject([
      { operation: "delete", file_path: "a" },
      { operation: "create", file_path: "b", content: file.replace("two", "2").replace("seven", "7") },
    ]);
  });

  test("a file moved without a change keeps its text", () => {
    const desk = deskWith({ a: file });
    desk.take(update("a", "", "/desk/b"));
    expect(desk.text("b")).toBe(file);
  });
});

describe("an edit of the app server that cannot be an operation is kept in the reply", () => {
  test("a new file outside the desk, by its full path", () => {
    const desk = deskWith({});
    desk.take({ path: "/etc/passwd", kind: { type: "add" }, diff: "x\n" });
    expect(desk.operations()).toMatchObject([{ operation: "create", file_path: "/etc/passwd" }]);
  });

  test("an invalid diff, and a move of a missing file", () => {
    const desk = deskWith({});
    desk.take(update("a", "no diff"), update("b", "@@ -1 +1 @@\n-x\n+y\n", "/desk/c"));
    expect(desk.operations()).toMatchObject([
      { file_path: "a", patch: "no diff" },
      { file_path: "b", edit_instructions: "Move it to c" },
    ]);
  });

  test.each([null, 5, {}, { path: 7, kind: "add" }, { path: "/desk/a", kind: { type: "update" } }])(
    "a change that has no shape (%j) breaks nothing",
    (change) => {
      expect(() => deskWith({}).take(change as object)).not.toThrow();
    },
  );
});

test("odd edits of the real Codex become what its own tool would have made", async () => {
  const { tried } = await capturedTurn("odd");
  const desk = { "a.txt": "one\ntwo\nthree\n", "crlf.txt": "a\r\nb\r\nc\r\n", "noeol.txt": "a\nb" };
  const last = new Map(tried.map(({ path, operations }) => [path, operations as readonly Operation[]]));
  expect([...last.keys()]).toEqual(["a.txt", "crlf.txt", "noeol.txt", "/out.txt", "/out2.txt"]);
  const text = (path: keyof typeof desk) => {
    const result = applyPatch(encodeUtf8(desk[path]), last.get(path)?.[0]?.patch ?? "", path);
    return "bytes" in result ? decodeUtf8(result.bytes) : result.problem.message;
  };
  expect(text("a.txt")).toBe("one\nzwei\nthree\n");
  expect(text("crlf.txt")).toBe("a\r\nB\r\nc\r\n");
  expect(text("noeol.txt")).toBe("a\nB\n");
});
