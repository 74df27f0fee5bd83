/** Paths: what may not be spelled, and the controls that a careless rule would refuse. */
import { create, type Row, replyOf } from "./row.ts";

/** Through every door that takes a path. */
export const refusedPaths: readonly (readonly [id: string, about: string, path: string, code: string])[] = [
  ["PATH-01", "plain traversal", "../x", "PATH_DOTDOT"],
  ["PATH-02", "traversal behind a folder", "a/../../x", "PATH_DOTDOT"],
  ["PATH-03", "dots that stay inside", "a/../b.txt", "PATH_DOTDOT"],
  ["PATH-04", "an absolute path", "/etc/passwd", "PATH_ABSOLUTE"],
  ["PATH-05", "a double slash", "//etc/passwd", "PATH_ABSOLUTE"],
  ["PATH-08", "an empty path", "", "PATH_EMPTY"],
  ["PATH-09", "the root itself", ".", "PATH_DOT"],
  ["PATH-14", "NUL", "a\u0000b", "PATH_NUL"],
  ["PATH-15", "a line feed", "a\nb", "PATH_CONTROL"],
  ["PATH-16", "a carriage return", "a\rb", "PATH_CONTROL"],
  ["PATH-17", "an escape sequence", "a\u001b[2Jb", "PATH_CONTROL"],
  ["PATH-18", "DEL", "a\u007fb", "PATH_CONTROL"],
  ["PATH-19", "the one-byte CSI", "a\u009b2Jb", "PATH_CONTROL"],
  ["PATH-21", "half of a surrogate pair", "a\ud800b", "PATH_ILL_FORMED"],
  ["PATH-22", "a bidi override", "src/\u202egnp.exe", "PATH_BIDI"],
  ["PATH-23", "a zero-width space", "src/a\u200bb.ts", "PATH_INVISIBLE"],
  ["PATH-24", "a tag character", "a\u{e0041}b", "PATH_INVISIBLE"],
  ["PATH-25", "a decomposed letter", "e\u0301.txt", "PATH_NOT_NFC"],
  ["PATH-32", "a name of 256 bytes", "é".repeat(128), "PATH_COMPONENT_TOO_LONG"],
  ["PATH-34", "a path of 4,201 bytes", `${"d/".repeat(2100)}f`, "PATH_TOO_LONG"],
  ["PATH-35", "65 components", `${"d/".repeat(64)}f`, "PATH_TOO_DEEP"],
  ["PATH-37", "backslashes", "..\\..\\etc", "PATH_BACKSLASH"],
  ["PATH-39 $DATA", "a data stream", "file.txt::$DATA", "PATH_COLON"],
  ["PATH-39 $INDEX", "an index stream", ".git::$INDEX_ALLOCATION/config", "PATH_COLON"],
  ["PATH-42 COM", "a device with a superscript", "COM\u00b9", "PATH_RESERVED_NAME"],
  ["PATH-42 LPT", "a device with an extension", "LPT\u00b2.txt", "PATH_RESERVED_NAME"],
  ["PATH-43 CONIN$", "a console device", "CONIN$", "PATH_RESERVED_NAME"],
  ["PATH-43 CONOUT$", "a console device", "CONOUT$", "PATH_RESERVED_NAME"],
  ["PATH-45 space", "a space at the end", "a ", "PATH_TRAILING_DOT_SPACE"],
  ["PATH-45 dot", "a dot at the end", "a.", "PATH_TRAILING_DOT_SPACE"],
  ["PATH-45 folder", "a dot at a folder's end", "dir./x", "PATH_TRAILING_DOT_SPACE"],
  ["PATH-46", "a leading dash", "-rf", "PATH_LEADING_DASH"],
  ["PATH-47 home", "a tilde", "~/x", "PATH_TILDE"],
  ["PATH-47 user", "somebody's home", "~root/x", "PATH_TILDE"],
  ["PATH-53", "a tab", "a\tb", "PATH_CONTROL"],
];

export const acceptedPaths: readonly (readonly [
  id: string,
  about: string,
  path: string,
  canonical?: string,
])[] = [
  ["PATH-10", "a leading dot and slash", "./a.txt", "a.txt"],
  ["PATH-11", "a double slash inside", "a//b", "a/b"],
  ["PATH-26", "a composed letter", "caf\u00e9.txt"],
  ["PATH-27", "Japanese", "日本語/ファイル.md"],
  ["PATH-28 ..foo", "dots that are no traversal", "..foo"],
  ["PATH-28 a..b", "dots that are no traversal", "a..b"],
  ["PATH-28 ...x", "dots that are no traversal", "...x"],
  ["PATH-44 console", "the beginning of a reserved name", "console.ts"],
  ["PATH-44 auxiliary", "the beginning of a reserved name", "auxiliary/x"],
  ["PATH-44 common", "the beginning of a reserved name", "common.js"],
  ["PATH-44 null", "not a reserved name", "null.ts"],
  ["PATH-49", "percent signs are not decoded", "%2e%2e/x"],
];

export const pathRows: readonly Row[] = [
  ...refusedPaths.map(
    ([id, about, path, code]): Row => ({
      id,
      about,
      reply: () => replyOf(create("fine.txt"), create(path)),
      expect: { refused: code },
    }),
  ),
  ...acceptedPaths.map(
    ([id, about, path, canonical]): Row => ({
      id,
      about,
      reply: () => replyOf(create(path)),
      expect: { applied: { [canonical ?? path]: "content\n" } },
    }),
  ),
  {
    id: "PATH-06",
    about: "an absolute path inside the root",
    reply: ({ root }) => replyOf(create(`${root}/file.txt`)),
    expect: { applied: { "file.txt": "content\n" } },
  },
  {
    id: "PATH-54",
    about: "two names that differ by case",
    reply: () => replyOf(create("Readme"), create("README")),
    expect: { refused: "PATH_CASE_COLLISION" },
  },
  {
    id: "PATH-55",
    about: "two names that fold to one",
    reply: () => replyOf(create("stra\u00dfe"), create("strasse")),
    expect: { refused: "PATH_CASE_COLLISION" },
  },
];
