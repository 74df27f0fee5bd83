/** Contents: bytes that must arrive as they are, and bytes that a person should see first. */
import { create, type Row, replyOf } from "./row.ts";

// Put together, so that no scanner takes this file for a leak.
const secrets = {
  "an API key": `const key = "${"sk-"}proj-${"a1B2c3D4e5F6g7H8".repeat(3)}";\n`,
  "a cloud key": `aws_access_key_id = ${"AKIA"}IOSFODNN7EXAMPL3\n`,
  "a private key": `-----BEGIN ${"RSA PRIVATE"} KEY-----\nMIIEpAIBAAKCAQEA7bq7\n-----END ${"RSA PRIVATE"} KEY-----\n`,
};

export const contentRows: readonly Row[] = [
  {
    id: "CONT-03",
    about: "NUL in a text",
    reply: () => replyOf(create("a.txt", "a\u0000b")),
    expect: { waiting: "CONTENT_NUL" },
  },
  ...Object.entries(secrets).map(
    ([what, content]): Row => ({
      id: `CONT-10 ${what}`,
      about: "a secret in a file",
      reply: () => replyOf(create("config.txt", content)),
      expect: { waiting: "CONTENT_SECRET" },
    }),
  ),
  exact("CONT-04", "an empty file", ""),
  exact(
    "CONT-05",
    "fences and JSON in a file",
    '# Doc\n\n```json\n{"file_operations": []}\n```\n\n````\n```\n````\n',
  ),
  exact("CONT-06", "a script tag", "</script><script>alert(1)</script>\n"),
  exact(
    "CONT-07",
    "bidi controls in code",
    "if (x) { /*\u202e } \u2066if (admin)\u2069 \u2066 begin */\n",
    "CONTENT_BIDI",
  ),
  exact("CONT-09", "a line of two megabytes", "x".repeat(2 * 1024 * 1024), "any"),
  exact("CONT-12", "conflict markers", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "any"),
  exact("CONT-13", "a lone carriage return at the end", "a\r"),
  exact("CONT-14", "an emoji across 65,536", `${"x".repeat(65_534)}🚀${"y".repeat(10)}`),
  exact("CONT-15", "decomposed letters", "e\u0301\n"),
];

function exact(id: string, about: string, content: string, warning?: string): Row {
  return {
    id,
    about,
    reply: () => replyOf(create("a.txt", content)),
    expect: { applied: { "a.txt": content }, ...(warning !== undefined && { warning }) },
  };
}
