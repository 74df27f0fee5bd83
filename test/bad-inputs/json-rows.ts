/** JSON that a lenient reader would take for something. */
import { create, envelope, type Row, replyOf } from "./row.ts";

const safe = '{"operation":"create","description":"Make this file here","content":"x","file_path":"safe.txt"';

const refused: readonly (readonly [
  id: string,
  about: string,
  reply: () => string | Uint8Array,
  code: string,
])[] = [
  ["JSON-01", "one key twice", () => list(`${safe},"file_path":"../../etc/passwd"}`), "JSON_DUPLICATE_KEY"],
  [
    "JSON-02",
    "one key twice, once escaped",
    () => list(`${safe},"file\\u005fpath":"b"}`),
    "JSON_DUPLICATE_KEY",
  ],
  ["JSON-04", "__proto__, escaped", () => list(`${safe},"\\u005f_proto__":{}}`), "JSON_FORBIDDEN_KEY"],
  [
    "JSON-05",
    "constructor",
    () => list(`${safe},"constructor":{"prototype":{"x":1}}}`),
    "JSON_FORBIDDEN_KEY",
  ],
  ["JSON-06", "a million levels", () => "[".repeat(1e6) + "]".repeat(1e6), "JSON_TOO_DEEP"],
  [
    "JSON-07",
    "65 levels",
    () => list(`${safe},"x":${'{"a":'.repeat(65)}1${"}".repeat(65)}}`),
    "JSON_TOO_DEEP",
  ],
  ["JSON-08", "five million numbers", () => `[${"0,".repeat(4_999_999)}0]`, "LIMIT_NODES"],
  ["JSON-10", "a number without end", () => list(`${safe},"x":1e999}`), "JSON_NUMBER_RANGE"],
  [
    "JSON-12",
    "a number where none is meant",
    () => list(`${safe},"verify_content":1.0000000000000001}`),
    "SCHEMA_TYPE",
  ],
  ["JSON-13 bare key", "JavaScript", () => block(`{file_operations: [${safe}}]}`), "JSON_SYNTAX"],
  ["JSON-13 quotes", "Python", () => block(`{'file_operations': [${safe}}]}`), "JSON_SYNTAX"],
  ["JSON-13 comma", "a comma too many", () => list(`${safe},}`), "JSON_SYNTAX"],
  ["JSON-13 comment", "a comment", () => block(`{"file_operations": [ // here\n${safe}}]}`), "JSON_SYNTAX"],
  [
    "JSON-16",
    "encoded twice",
    () => block(JSON.stringify(JSON.stringify(envelope([create("a")])))),
    "SCHEMA_TYPE",
  ],
  ["JSON-17", "cut off in the middle", () => replyOf(create("a")).slice(0, -20), "JSON_SYNTAX"],
  ["JSON-19", "bytes that are no UTF-8", () => bytes(0xff, 0xfe), "JSON_NOT_UTF8"],
  ["JSON-20", "overlong UTF-8", () => bytes(0xc0, 0xaf), "JSON_NOT_UTF8"],
  ["JSON-22", "a key of a megabyte", () => list(`${safe},"${"k".repeat(1 << 20)}":1}`), "LIMIT_KEY"],
  ["JSON-24", "131,072 keys", () => list(`${safe},"x":{${manyKeys()}}}`), "LIMIT_KEYS"],
  ["JSON-25 toJSON", "a key with a meaning", () => list(`${safe},"toJSON":"x"}`), "SCHEMA_UNKNOWN_KEY"],
  ["JSON-25 then", "a key with a meaning", () => list(`${safe},"then":1}`), "SCHEMA_UNKNOWN_KEY"],
];

export const jsonRows: readonly Row[] = refused.map(([id, about, reply, code]) => ({
  id,
  about,
  reply,
  expect: { refused: code },
}));

function list(operation: string): string {
  return block(`{"specialist_summary":"A test","file_operations":[${operation}]}`);
}

function block(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\`\n`;
}

function bytes(...bad: readonly number[]): Uint8Array {
  const [before = "", after = ""] = replyOf(create("a.txt", "HERE")).split("HERE");
  return Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)]);
}

function manyKeys(): string {
  return Array.from({ length: 1 << 17 }, (_, key) => `"${key}":0`).join(",");
}
