import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalPath, foldPath } from "./path.ts";

const root = "/home/me/work space";

const refused: readonly (readonly [row: string, given: string, code: string])[] = [
  ["PATH-01", "../x", "PATH_DOTDOT"],
  ["PATH-02", "a/../../x", "PATH_DOTDOT"],
  ["PATH-03", "a/../b.txt", "PATH_DOTDOT"],
  ["PATH-03, absolute", `${root}/../x`, "PATH_DOTDOT"],
  ["PATH-04", "/etc/passwd", "PATH_ABSOLUTE"],
  ["PATH-05", "//etc/passwd", "PATH_ABSOLUTE"],
  ["a folder whose name begins like the root's", `${root}-evil/x`, "PATH_ABSOLUTE"],
  ["the root's parent", "/home/me", "PATH_ABSOLUTE"],
  ["the root in other case", "/Home/me/work space/x", "PATH_ABSOLUTE"],
  ["PATH-08", "", "PATH_EMPTY"],
  ["PATH-09", ".", "PATH_DOT"],
  ["PATH-09, slashes", ".//./", "PATH_DOT"],
  ["PATH-09, absolute", root, "PATH_DOT"],
  ["a folder by its slash", "src/", "PATH_IS_DIRECTORY"],
  ["a folder by its dot", "src/.", "PATH_IS_DIRECTORY"],
  ["PATH-14", "a\u0000b", "PATH_NUL"],
  ["PATH-15", "a\nb", "PATH_CONTROL"],
  ["PATH-16", "a\rb", "PATH_CONTROL"],
  ["PATH-17", "a\u001b[2Jb", "PATH_CONTROL"],
  ["PATH-18", "a\u007fb", "PATH_CONTROL"],
  ["PATH-19", "a\u009b2Jb", "PATH_CONTROL"],
  ["line separator", "a\u2028b", "PATH_CONTROL"],
  ["PATH-21", "a\ud800b", "PATH_ILL_FORMED"],
  ["PATH-21, low half", "a\udc00b", "PATH_ILL_FORMED"],
  ["PATH-22", "src/\u202egnp.exe", "PATH_BIDI"],
  ["right-to-left mark", "a\u200fb", "PATH_BIDI"],
  ["isolate", "a\u2066b", "PATH_BIDI"],
  ["PATH-23", "src/a\u200bb.ts", "PATH_INVISIBLE"],
  ["PATH-24", "a\u{E0041}b", "PATH_INVISIBLE"],
  ["soft hyphen", "a\u00adb", "PATH_INVISIBLE"],
  ["byte order mark", "\ufeffa", "PATH_INVISIBLE"],
  ["word joiner", "a\u2060b", "PATH_INVISIBLE"],
  ["Hangul filler", "\u3164", "PATH_INVISIBLE"],
  ["half-width Hangul filler", "a\uffa0", "PATH_INVISIBLE"],
  ["a variation selector after a letter", "a\ufe0f.ts", "PATH_INVISIBLE"],
  ["braille blank", "a\u2800", "PATH_INVISIBLE"],
  ["zero-width non-joiner in .git", ".g\u200cit/config", "PATH_INVISIBLE"],
  ["PATH-25", "e\u0301.txt", "PATH_NOT_NFC"],
  ["Kelvin sign", "\u212a.txt", "PATH_NOT_NFC"],
  ["PATH-32", "é".repeat(128), "PATH_COMPONENT_TOO_LONG"],
  ["256 bytes", "a".repeat(256), "PATH_COMPONENT_TOO_LONG"],
  ["PATH-34", `${"d/".repeat(2100)}f`, "PATH_TOO_LONG"],
  ["1025 bytes", `${"d".repeat(204)}/`.repeat(4) + "d".repeat(205), "PATH_TOO_LONG"],
  ["megabytes", "../".repeat(1_000_000), "PATH_TOO_LONG"],
  ["PATH-35", Array(65).fill("d").join("/"), "PATH_TOO_DEEP"],
  ["PATH-37", "..\\..\\etc", "PATH_BACKSLASH"],
  ["a drive", "C:\\x", "PATH_BACKSLASH"],
  ["a drive with slash", "C:/x", "PATH_COLON"],
  ["PATH-39", "file.txt::$DATA", "PATH_COLON"],
  ["PATH-39, folder", ".git::$INDEX_ALLOCATION/config", "PATH_COLON"],
  ...["CON", "nul", "src/aux.c", "Prn.tar.gz", "COM0", "com9.txt", "lpt1/x", "NUL .txt"].map(
    (given) => [`the device ${given}`, given, "PATH_RESERVED_NAME"] as const,
  ),
  ["PATH-42", "COM\u00b9", "PATH_RESERVED_NAME"],
  ["PATH-42, extension", "LPT\u00b2.txt", "PATH_RESERVED_NAME"],
  ["PATH-43", "CONIN$", "PATH_RESERVED_NAME"],
  ["PATH-43, out", "conout$", "PATH_RESERVED_NAME"],
  ["PATH-45", "a ", "PATH_TRAILING_DOT_SPACE"],
  ["PATH-45, dot", "a.", "PATH_TRAILING_DOT_SPACE"],
  ["PATH-45, folder", "dir./x", "PATH_TRAILING_DOT_SPACE"],
  ["three dots", ".../x", "PATH_TRAILING_DOT_SPACE"],
  ["PATH-46", "-rf", "PATH_LEADING_DASH"],
  ["PATH-46, inside", "src/-rf", "PATH_LEADING_DASH"],
  ["PATH-47", "~/x", "PATH_TILDE"],
  ["PATH-47, user", "~root/x", "PATH_TILDE"],
  ["PATH-53", "a\tb", "PATH_CONTROL"],
];

test.each(refused)("$0 is refused with $2", (_row, given, code) => {
  const result = canonicalPath(given, root);
  expect(result).toMatchObject({ problem: { code } });
  const { message = "", hint = "", path = "" } = "problem" in result ? result.problem : {};
  expect(message.length).toBeLessThan(400);
  expect(path.length).toBeLessThan(400);
  expect(hint).not.toBe("");
  expect(message + path).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
});

const accepted: readonly (readonly [row: string, given: string, path: string])[] = [
  ["PATH-06", `${root}/file.txt`, "file.txt"],
  ["PATH-06, untidy", `/${root}//src/./file.txt`, "src/file.txt"],
  ["PATH-10", "./a.txt", "a.txt"],
  ["PATH-11", "a//b", "a/b"],
  ["PATH-26", "caf\u00e9.txt", "caf\u00e9.txt"],
  ["PATH-27", "日本語/ファイル.md", "日本語/ファイル.md"],
  ...["..foo", "a..b", "...x"].map((given) => [`PATH-28, ${given},`, given, given] as const),
  ...["console.ts", "auxiliary/x", "common.js", "null.ts", "com10", "lpt"].map(
    (given) => [`PATH-44, ${given},`, given, given] as const,
  ),
  ["PATH-49", "%2e%2e/x", "%2e%2e/x"],
  ["255 bytes", "a".repeat(255), "a".repeat(255)],
  ["64 components", Array(64).fill("d").join("/"), Array(64).fill("d").join("/")],
  ["an emoji with its selector", "docs/❤\ufe0f.md", "docs/❤\ufe0f.md"],
  ["a tilde further on", "a/~b", "a/~b"],
  ["a dash and spaces inside", "my file - copy.txt", "my file - copy.txt"],
];

test.each(accepted)("$0 is accepted", (_row, given, path) => {
  expect(canonicalPath(given, root)).toEqual({ path });
});

test("the problem of a refused path names the component that is wrong", () => {
  const result = canonicalPath("src/CON.ts/x", root);
  expect("problem" in result && result.problem.message).toContain('component 2, "CON.ts"');
});

test("a path that breaks several rules is refused for the most dangerous one", () => {
  expect(canonicalPath("-a/../NUL", root)).toMatchObject({ problem: { code: "PATH_DOTDOT" } });
  expect(canonicalPath("-a /\u202ex", root)).toMatchObject({ problem: { code: "PATH_BIDI" } });
});

test("if the root is the whole disk, every path is inside it", () => {
  expect(canonicalPath("/etc/hosts", "/")).toEqual({ path: "etc/hosts" });
});

const untidy = fc
  .array(fc.oneof(fc.constantFrom("/", ".", "..", "a", "~", "-", " ", "\\", "é", "CON", root), fc.string()), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

test("a canonical path is its own canonical form, and never leads outside", () => {
  fc.assert(
    fc.property(untidy, (given) => {
      const result = canonicalPath(given, root);
      if ("problem" in result) return;
      expect(canonicalPath(result.path, root)).toEqual(result);
      expect(canonicalPath(`${root}/${result.path}`, root)).toEqual(result);
      expect(posix.resolve("/inside", result.path)).toBe(`/inside/${result.path}`);
      expect(result.path.split("/")).not.toContain("..");
      expect(result.path).not.toMatch(/^\/|\/\/|\/$/);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ["Readme", "README"],
  ["straße", "strasse"],
  ["STRAẞE", "strasse"],
  ["ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς"],
  ["ﬁle", "FILE"],
  ["CAFÉ", "café"],
])("%s and %s are one file where case does not count", (one, other) => {
  expect(foldPath(one)).toBe(foldPath(other));
});

test("paths that differ in more than case are different files", () => {
  expect(foldPath("resume")).not.toBe(foldPath("résumé"));
});
