import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { deletePreview } from "./delete-preview.ts";

test("the first twenty lines are shown, and how many there are", () => {
  const text = Array.from({ length: 48 }, (_, at) => `line ${at + 1}\n`).join("");
  const { preview, lines } = deletePreview(encodeUtf8(text));
  expect(preview).toHaveLength(20);
  expect(preview?.at(-1)).toBe("line 20");
  expect(lines).toBe(48);
});

test("a last line without its end counts, and an empty file has none", () => {
  expect(deletePreview(encodeUtf8("a\nb"))).toEqual({ preview: ["a", "b"], lines: 2 });
  expect(deletePreview(encodeUtf8(""))).toEqual({ preview: [], lines: 0 });
});

test("a long line is cut, and one of ten megabytes is not read to its end", () => {
  const { preview } = deletePreview(encodeUtf8("x".repeat(10_000_000)));
  expect(preview?.[0]?.length).toBeLessThan(220);
});

test("binary content is named, not shown", () => {
  expect(deletePreview(Uint8Array.of(80, 0, 1))).toEqual({ is_binary: true });
});

test("secrets are masked, a key over several lines to its end, and nothing acts on a terminal", () => {
  const key = ["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBg", "-----END PRIVATE KEY-----", "after"];
  const token = `token = "ghp_${"a1B2".repeat(9)}"`;
  const { preview } = deletePreview(encodeUtf8([...key, token, "\u001b[2J"].join("\n")));
  const shown = preview?.join("\n") ?? "";
  expect(shown).not.toContain("MIIEvQ");
  expect(shown).not.toContain("ghp_");
  expect(shown).not.toContain("\u001b");
  expect(shown).toContain("after");
});
