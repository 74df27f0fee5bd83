import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { deletePreview } from "./delete-preview.ts";

test("the preview of a delete shows the first twenty lines and how many there are", () => {
  const text = Array.from({ length: 48 }, (_, at) => `line ${at + 1}\n`).join("");
  const { preview, lines } = deletePreview(encodeUtf8(text));
  expect(preview).toHaveLength(20);
  expect(preview?.at(-1)).toBe("line 20");
  expect(lines).toBe(48);
});

test("in the preview of a delete, a last line without a line end counts, and an empty file has no lines", () => {
  expect(deletePreview(encodeUtf8("a\nb"))).toEqual({ preview: ["a", "b"], lines: 2 });
  expect(deletePreview(encodeUtf8(""))).toEqual({ preview: [], lines: 0 });
});

test("the preview of a delete cuts a long line, and does not read one of ten megabytes to its end", () => {
  const { preview } = deletePreview(encodeUtf8("x".repeat(10_000_000)));
  expect(preview?.[0]?.length).toBeLessThan(220);
});

test("the preview of a delete says that content is binary instead of showing it", () => {
  expect(deletePreview(Uint8Array.of(80, 0, 1))).toEqual({ is_binary: true });
});

test("the preview of a delete masks secrets, a key over several lines to its end, and nothing in it acts on a terminal", () => {
  const key = ["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBg", "-----END PRIVATE KEY-----", "after"];
  const token = `token = "ghp_${"a1B2".repeat(9)}"`;
  const { preview } = deletePreview(encodeUtf8([...key, token, "\u001b[2J"].join("\n")));
  const shown = preview?.join("\n") ?? "";
  expect(shown).not.toContain("MIIEvQ");
  expect(shown).not.toContain("ghp_");
  expect(shown).not.toContain("\u001b");
  expect(shown).toContain("after");
});
