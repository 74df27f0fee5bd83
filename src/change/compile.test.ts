import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type MemoryFile, memoryDisk } from "../../test/doubles/memory-disk.ts";
import type { Edit, Operation } from "../reply/reply.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { Sha256 } from "./change.ts";
import { type Compiled, compile } from "./compile.ts";
import type { Disk } from "./disk.ts";

type Tree = Readonly<Record<string, MemoryFile | string>>;

test("operations on one path take effect one after the other", () => {
  const compiled = run(
    { "a.txt": "one\n" },
    edit("a.txt", ["one", "two"]),
    append("a.txt", "three"),
    create("b/c.txt", ""),
    edit("a.txt", ["two\nthree", "2\n3"]),
  );
  expect(outcome(compiled)).toEqual({ "a.txt": "2\n3", "b/c.txt": "" });
  expect(compiled.problems).toEqual([]);
  expect(compiled.steps.map(({ after }) => after && decodeUtf8(after))).toEqual([
    "two\n",
    "two\nthree",
    "",
    "2\n3",
  ]);
});

test("a change carries the image before it and the image after it", () => {
  const { changes, steps } = run({ "a.txt": "one" }, edit("a.txt", ["one", "two!"]));
  expect(changes).toEqual([
    {
      path: "a.txt",
      pre: { sha256: hashOf("one"), size: 3, mode: 0o644 },
      post: { sha256: hashOf("two!"), size: 4, mode: 0o644 },
    },
  ]);
  expect(steps).toEqual([
    {
      index: 0,
      operation: "edit",
      path: "a.txt",
      description: "as the test wants it",
      before: encodeUtf8("one"),
      after: encodeUtf8("two!"),
      sha256: hashOf("two!"),
      preview: true,
    },
  ]);
});

test("OPS-16: create, edit and delete of one path leave nothing to do", () => {
  const { changes, problems, steps, contents } = run(
    {},
    create("a", "x"),
    edit("a", ["x", "y"]),
    remove("a"),
  );
  expect({ changes, problems, contents: contents.size }).toEqual({ changes: [], problems: [], contents: 0 });
  expect(steps.map(({ operation }) => operation)).toEqual(["create", "edit", "delete"]);
  expect(steps[2]).not.toHaveProperty("after");
  expect(steps[2]).not.toHaveProperty("sha256");
});

test("two spellings of one path are one file", () => {
  const compiled = run({}, create("./src//a.ts", "x"), append("/ws/src/a.ts", "y"));
  expect(outcome(compiled)).toEqual({ "src/a.ts": "xy" });
});

test("a mode is kept on edit, also through delete and create, and new files get the default", () => {
  const { changes } = run(
    { "run.sh": { bytes: "a", mode: 0o755 }, "new.sh": { bytes: "a", mode: 0o755 } },
    edit("run.sh", ["a", "b"]),
    remove("new.sh"),
    create("new.sh", "c"),
    create("other", "d"),
  );
  expect(changes.map(({ path, post }) => [path, post?.mode])).toEqual([
    ["run.sh", 0o755],
    ["new.sh", 0o755],
    ["other", 0o644],
  ]);
});

const tree: Tree = { "src/app.ts": "const a = 1;\n", README: "hi", "lib/x/y.ts": "" };

const refused: readonly (readonly [what: string, operations: Operation[], code: string, says: string])[] = [
  ["OPS-01: create on an existing file", [create("README", "x")], "OPS_EXISTS", "README"],
  ["OPS-02: edit on a missing file", [edit("src/ap.ts", ["a", "b"])], "OPS_MISSING", 'mean "src/app.ts"'],
  ["edit with a misspelt folder", [edit("scr/app.ts", ["a", "b"])], "OPS_MISSING", 'mean "src/app.ts"'],
  ["edit in other case", [edit("readme", ["a", "b"])], "OPS_MISSING", 'mean "README"'],
  ["append to a missing file", [append("nothing.txt", "x")], "OPS_MISSING", "create"],
  ["delete of a missing file", [remove("nothing.txt")], "OPS_MISSING", "nothing.txt"],
  ["edit after delete", [remove("README"), edit("README", ["h", "H"])], "OPS_MISSING", "earlier operation"],
  ["OPS-03: an empty text to find", [edit("README", ["", "x"])], "OPS_EMPTY_FIND", "edits[0]"],
  [
    "OPS-04: a text that is not there",
    [edit("README", ["ho", "x"])],
    "OPS_FIND_NOT_FOUND",
    "not in the file",
  ],
  [
    "a patch that does not fit",
    [change("README", { by: "patch", patch: "@@\n-ho\n+x\n" })],
    "OPS_PATCH_NOT_FOUND",
    "hunk 1",
  ],
  [
    "a patch for another file",
    [change("README", { by: "patch", patch: "--- a/x\n+++ b/x\n@@\n-hi\n+x\n" })],
    "OPS_PATCH_SYNTAX",
    "another file",
  ],
  ["PATH-01: a path outside", [create("../x", "")], "PATH_DOTDOT", ".."],
  [
    "PATH-54: two spellings",
    [create("Readme2", ""), create("README2", "")],
    "PATH_CASE_COLLISION",
    "Readme2",
  ],
  [
    "PATH-55: two foldings",
    [create("stra\u00dfe", ""), create("strasse", "")],
    "PATH_CASE_COLLISION",
    "strasse",
  ],
  ["two spellings of a folder", [create("Doc/a", ""), create("doc/b", "")], "PATH_CASE_COLLISION", "doc"],
  ["a spelling against the disk", [create("Readme", "")], "PATH_CASE_COLLISION", '"README" on the disk'],
  ["a folder's spelling against the disk", [create("SRC/new.ts", "")], "PATH_CASE_COLLISION", '"src/new.ts"'],
  [
    "a path that is file and folder",
    [create("x", ""), create("x/y", "")],
    "PATH_NOT_DIRECTORY",
    "file and as a folder",
  ],
  [
    "a path that is folder and file",
    [create("x/y", ""), create("x", "")],
    "PATH_NOT_DIRECTORY",
    "file and as a folder",
  ],
  ["a parent that is a file", [create("README/x/y", "")], "PATH_NOT_DIRECTORY", "README"],
  ["LINK-11: a folder", [create("src", "")], "PATH_IS_DIRECTORY", "folder"],
  ["PROT-03: git's own file", [create(".git", "gitdir: ../evil")], "PATH_PROTECTED", ".git"],
  ["PROT-27: a secret file", [edit(".env", ["a", "b"])], "PATH_SECRET", "secrets"],
  ["a file beyond the limit", [create("big", "x".repeat(10_000_001))], "LIMIT_FILE", "10,000,001 bytes"],
  ["beyond it in bytes only", [create("big", `${"é".repeat(5_000_000)}x`)], "LIMIT_FILE", "10,000,001 bytes"],
  [
    "another file than was read",
    [{ ...edit("README", ["hi", "ho"]), baseSha256: hashOf("other") }],
    "OPS_BASE_CHANGED",
    "not the file that was read",
  ],
  [
    "a file gone since it was read",
    [{ ...edit("nope", ["hi", "ho"]), baseSha256: hashOf("hi") }],
    "OPS_BASE_CHANGED",
    "no such file",
  ],
];

test.each(refused)("%s is refused", (_, operations, code, says) => {
  const last = operations.length - 1;
  const { problems } = run(tree, ...operations);
  expect(problems).toMatchObject([{ code, index: last }]);
  const [problem] = problems;
  expect(`${problem?.message} ${problem?.hint}`).toContain(says);
  expect(problem?.path).toBeTypeOf("string");
});

test("all mistakes in a reply's operations are found at once, each with its index", () => {
  const { problems, changes } = run(
    tree,
    create("../x", ""),
    create("ok.txt", "fine"),
    edit("gone.ts", ["a", "b"]),
    create("README", ""),
    create("a\\b", ""),
  );
  expect(problems.map(({ index, code }) => [index, code])).toEqual([
    [0, "PATH_DOTDOT"],
    [2, "OPS_MISSING"],
    [3, "OPS_EXISTS"],
    [4, "PATH_BACKSLASH"],
  ]);
  expect(changes.map(({ path }) => path)).toEqual(["ok.txt"]);
});

test("operations that follow a mistake on the same path are not reported again", () => {
  const { problems } = run(
    tree,
    edit("README", ["x", "y"]),
    append("./README", "z"),
    create("../x", ""),
    remove("../x"),
  );
  expect(problems.map(({ index }) => index)).toEqual([0, 2]);
});

test("a path on which an operation went wrong has no change, not even of the operations before", () => {
  const { changes, steps } = run(tree, edit("README", ["hi", "ho"]), edit("README", ["hi", "hu"]));
  expect(changes).toEqual([]);
  expect(steps.map(({ index }) => index)).toEqual([0]);
});

test("neither the disk nor its content is looked at for a secret or protected path", () => {
  const disk: Disk = {
    look: (path) => expect.unreachable(`looked at ${path}`),
    names: (folder) => expect.unreachable(`listed ${folder}`),
    isRepository: () => false,
  };
  const operations = [edit(".env", ["a", "b"]), create(".git/config", ""), remove("keys/a.pem")];
  const { problems } = compile(numbered(operations), { root: "/ws", disk, hash });
  expect(problems.map(({ code }) => code)).toEqual(["PATH_SECRET", "PATH_PROTECTED", "PATH_SECRET"]);
});

test("a problem found while looking up a path is reported with index and path", () => {
  const problem = { code: "PATH_SYMLINK", message: "a link", hint: "Use the real path." };
  const disk: Disk = {
    look: () => ({ kind: "problem", problem }),
    names: () => [],
    isRepository: () => false,
  };
  const { problems } = compile(numbered([edit("ok", ["a", "b"])]), { root: "/ws", disk, hash });
  expect(problems).toEqual([{ ...problem, index: 0, path: "ok" }]);
});

test("on a disk that ignores case, a file is found under its own spelling only", () => {
  const real = memoryDisk({ README: "hi" }, hash);
  const disk: Disk = { ...real, look: (path) => real.look(path.toUpperCase() as typeof path) };
  const { problems } = compile(numbered([edit("readme", ["hi", "ho"])]), { root: "/ws", disk, hash });
  expect(problems).toMatchObject([{ code: "PATH_CASE_COLLISION" }]);
});

test("two files on the disk that differ in case only can both be edited", () => {
  const compiled = run({ a: "1", A: "2" }, edit("a", ["1", "x"]));
  expect(compiled.problems).toEqual([]);
});

test("the hash of the file as read, or as left by an earlier operation, is accepted", () => {
  const { problems } = run(
    tree,
    { ...edit("README", ["hi", "ho"]), baseSha256: hashOf("hi").toUpperCase() },
    { ...edit("README", ["ho", "hu"]), baseSha256: hashOf("ho") },
    { ...append("README", "!"), baseSha256: hashOf("hi") },
  );
  expect(problems).toEqual([]);
});

test("an edit in words waits for an editor, and what follows it on that path waits too", () => {
  const words: Edit = { by: "instructions", instructions: "say hello" };
  const compiled = run(tree, change("README", words), edit("README", ["hello", "x"]), create("other", "x"));
  expect(compiled.needsEditor).toEqual([{ index: 0, path: "README", instructions: "say hello" }]);
  expect(compiled.problems).toEqual([]);
  expect(outcome(compiled)).toEqual({ other: "x" });
});

test("an edit in words needs its file", () => {
  const words: Edit = { by: "instructions", instructions: "say hello" };
  const { needsEditor, problems } = run(tree, change("nope", words));
  expect(needsEditor).toEqual([]);
  expect(problems).toMatchObject([{ code: "OPS_MISSING" }]);
});

const exact: readonly (readonly [what: string, content: string])[] = [
  ["CONT-04: nothing", ""],
  ["CONT-05: fences and JSON", '```json\n{"file_operations": []}\n```\n'],
  ["CONT-06: script tags", "</script><script>alert(1)</script>"],
  ["CONT-09: one line of 2 MiB", "x".repeat(2 * 1024 * 1024)],
  ["CONT-13: a lone CR at the end", "a\r"],
  ["CONT-14: an emoji across 64 KiB", `${"x".repeat(65535)}😀`],
  ["CONT-15: letters not composed", "e\u0301"],
];

test.each(exact)("%s is written byte for byte", (_, content) => {
  const compiled = run({}, create("a", content));
  expect(outcome(compiled)).toEqual({ a: content });
});

test("OPS-13: append invents no line end", () => {
  expect(outcome(run({ a: "one" }, append("a", "two")))).toEqual({ a: "onetwo" });
});

const warned: readonly (readonly [
  what: string,
  before: string | undefined,
  operation: Operation,
  codes: string[],
])[] = [
  ["CONT-07: direction overrides", undefined, create("a", "if (x\u202e) {"), ["CONTENT_BIDI"]],
  [
    "CONT-12: conflict markers",
    undefined,
    create("a", "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"),
    ["CONTENT_CONFLICT_MARKERS"],
  ],
  ["an underlined heading is no conflict", undefined, create("a", "Title\n=======\n"), []],
  ["zero-width space", undefined, create("a", "a\u200bb"), ["CONTENT_INVISIBLE"]],
  ["smuggled tags", undefined, create("a", "x\u{e0041}\u{e0042}"), ["CONTENT_INVISIBLE"]],
  ["a joiner between Latin letters", undefined, create("a", "a\u200db"), ["CONTENT_INVISIBLE"]],
  [
    "emoji, Persian and a BOM are ordinary",
    undefined,
    create(
      "a",
      "\ufeff👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f⃣ می\u200cخواهم 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    ),
    [],
  ],
  ["what was there before is not warned about", "a\u202e b", edit("a", ["b", "c"]), []],
  ["one more than before is", "a\u202e b", edit("a", ["b", "\u202e"]), ["CONTENT_BIDI"]],
  ["more than a megabyte", undefined, create("a", "x".repeat(1_000_001)), ["CONTENT_LARGE"]],
  ["the largest file", undefined, create("a", `${"✓😀".repeat(1_428_571)}abc`), ["CONTENT_LARGE"]],
  ["a megabyte in characters of four", undefined, create("a", "😀".repeat(250_000)), []],
  ["an edit that changes nothing", "abc", edit("a", ["b", "b"]), ["OPS_NO_CHANGE"]],
  [
    "CRLF lost by whole content",
    "a\r\nb\r\n",
    change("a", { by: "content", content: "a\nb\n" }),
    ["OPS_LINE_ENDS"],
  ],
  ["CRLF kept by an edit", "a\r\nb\r\n", edit("a", ["a\nb", "A\nB"]), []],
];

const utf16 = new Uint8Array(Buffer.from("\ufeffone\r\ntwo\r\n", "utf16le"));

test.each([
  ["edits", edit("a", ["one", "1"])],
  ["edits of text that is not in it", edit("a", ["none", "1"])],
  ["a patch", change("a", { by: "patch", patch: "@@\n-one\n+1\n two\n" })],
  ["append", append("a", "three\n")],
])(
  "CONT-40 a file in UTF-16 is not edited in UTF-8, and the problem says what to do: %s",
  (_what, operation) => {
    const { problems, changes } = run({ a: { bytes: utf16 } }, operation);
    expect(changes).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: "OPS_ENCODING",
        path: "a",
        message: expect.stringMatching(/"a" is in UTF-16LE.*FF FE/),
        hint: expect.stringMatching(/`content`.*iconv -f UTF-16LE -t UTF-8/),
      },
    ]);
  },
);

test("CONT-40 a file in UTF-16 can be replaced as a whole or deleted, and the replacement can be edited", () => {
  const whole = change("a", { by: "content", content: "one\n" });
  const { problems, warnings } = run({ a: { bytes: utf16 } }, whole, edit("a", ["one", "1"]));
  expect(problems).toEqual([]);
  expect(warnings).toMatchObject([{ code: "OPS_ENCODING", index: 0, path: "a" }]);
  expect(run({ a: { bytes: utf16 } }, remove("a"))).toMatchObject({ problems: [], warnings: [] });
});

test.each(warned)("%s", (_, before, operation, codes) => {
  const { problems, warnings } = run(before === undefined ? {} : { a: before }, operation);
  expect(problems).toEqual([]);
  expect(warnings.map(({ code, index, path }) => [code, index, path])).toEqual(
    codes.map((code) => [code, 0, "a"]),
  );
  for (const { message, hint } of warnings) expect(message + hint).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("the contents of all files together, over all operations, are bounded", () => {
  const content = "x".repeat(9_000_000);
  const { problems } = run(
    {},
    ...Array.from({ length: 40 }, (_, at) => create(`f${at}`, content)),
    create("../x", ""),
  );
  expect(problems.map(({ index, code }) => [index, code])).toEqual([
    [29, "LIMIT_TOTAL"],
    [40, "PATH_DOTDOT"],
  ]);
});

test("the work that edits may cause is bounded", () => {
  const edits = Array.from({ length: 500 }, (): [string, string] => ["y", "z"]);
  const { problems } = run({ a: "x".repeat(9_000_000) }, edit("a", ...edits));
  expect(problems).toMatchObject([{ code: "LIMIT_SEARCH" }]);
});

test("the net effect is what carrying the operations out one by one would leave", () => {
  const path = fc.constantFrom("a", "b", "d/e");
  const text = fc.string({ unit: fc.constantFrom("x", "y", "\n"), maxLength: 4 });
  const operation = fc.oneof(
    fc.tuple(path, text).map(([at, content]) => create(at, content)),
    fc.tuple(path, text).map(([at, content]) => append(at, content)),
    fc.tuple(path, text).map(([at, content]) => change(at, { by: "content", content })),
    path.map(remove),
  );
  const property = fc.property(fc.array(operation, { maxLength: 12 }), (operations) => {
    const before: Record<string, string> = { a: "x", "d/e": "" };
    const expected = carriedOut(before, operations);
    const { changes, problems, contents } = run(before, ...operations);
    expect(problems.length > 0).toBe(expected === undefined);
    if (!expected) return;
    expect(problems).toEqual([]);
    const after = { ...before };
    for (const { path: at, post } of changes) {
      if (post) after[at] = decodeUtf8(contents.get(post.sha256) ?? encodeUtf8("missing"));
      else delete after[at];
    }
    expect(after).toEqual(expected);
    for (const { pre, post } of changes) expect(pre?.sha256).not.toBe(post?.sha256);
  });
  fc.assert(property, { numRuns: 1000 });
});

function carriedOut(before: Record<string, string>, operations: readonly Operation[]) {
  const files = { ...before };
  for (const each of operations) {
    const content = files[each.filePath];
    if ((content === undefined) !== (each.operation === "create")) return undefined;
    if (each.operation === "create") files[each.filePath] = each.content;
    else if (each.operation === "append") files[each.filePath] = content + each.content;
    else if (each.operation === "delete") delete files[each.filePath];
    else if (each.edit.by === "content") files[each.filePath] = each.edit.content;
  }
  return files;
}

function run(files: Tree, ...operations: Operation[]): Compiled {
  return compile(numbered(operations), { root: "/ws", disk: memoryDisk(files, hash), hash });
}

function outcome({ changes, contents }: Compiled): Record<string, string | undefined> {
  return Object.fromEntries(
    changes.map(({ path, post }) => [
      path,
      post && decodeUtf8(contents.get(post.sha256) ?? encodeUtf8("missing")),
    ]),
  );
}

function numbered(operations: readonly Operation[]): Operation[] {
  return operations.map((operation, index) => ({ ...operation, index }));
}

function base(filePath: string) {
  return { index: 0, filePath, description: "as the test wants it", preview: true };
}
function create(filePath: string, content: string): Operation {
  return { ...base(filePath), operation: "create", content };
}
function append(filePath: string, content: string): Operation {
  return { ...base(filePath), operation: "append", content };
}
function remove(filePath: string): Operation {
  return { ...base(filePath), operation: "delete" };
}
function change(filePath: string, how: Edit): Operation {
  return { ...base(filePath), operation: "edit", edit: how };
}
function edit(filePath: string, ...pairs: readonly (readonly [string, string])[]): Operation {
  const replacements = pairs.map(([oldString, newString]) => ({ oldString, newString, replaceAll: false }));
  return change(filePath, { by: "replacements", replacements });
}

function hash(bytes: Uint8Array): Sha256 {
  return createHash("sha256").update(bytes).digest("hex") as Sha256;
}
function hashOf(text: string): Sha256 {
  return hash(encodeUtf8(text));
}
