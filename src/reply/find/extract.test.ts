import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { type Verdict, validate } from "../check/validate.ts";
import { expectedOperations } from "./expected-operations.ts";
import { extract } from "./extract.ts";
import { openReply } from "./open.ts";

const tick = "```";
const content = `# Notes\n${tick}json\n{"file_operations": []}\n${tick}\n~~~\n{"a": "}"} \\ "quoted" é😀\r\n`;
const reply = envelope("a.md", content);
const other = envelope("b.md", content);
/** A sample that a reply may quote and that must not be executed. */
const sample = '{"name": "sample", "scripts": {"test": "vitest"}}';

function envelope(path: string, text: string, space?: number): string {
  const operation = { operation: "create", file_path: path, description: "write the notes", content: text };
  return JSON.stringify({ file_operations: [operation], specialist_summary: "done" }, null, space);
}

function extracted(text: string | Uint8Array, fence?: string): Verdict {
  const opened = openReply(text, fence);
  if ("problem" in opened) return { problems: [opened.problem], warnings: [] };
  const extraction = extract(opened.source, expectedOperations);
  return "value" in extraction ? validate(extraction.value) : { problems: extraction.problems, warnings: [] };
}

/** The content that was found, or the codes of the problems. */
function found(text: string | Uint8Array, fence?: string): string | string[] {
  const extraction = extracted(text, fence);
  if (extraction.reply === undefined) return extraction.problems.map((problem) => problem.code);
  expect(extraction.problems).toEqual([]);
  return extraction.reply.operations
    .map((operation) => (operation.operation === "create" ? operation.content : ""))
    .join();
}

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...encodeUtf8(part)] : part)));
}

test.each([
  ["a json block", `Here it is:\n\n${tick}json\n${reply}\n${tick}\n\nBye.`],
  ["a JSON block", `${tick}JSON\n${reply}\n${tick}`],
  ["a json block with spaces around the word", `${tick}  json  \n${reply}\n${tick}  \n`],
  ["a block without a language", `${tick}\n${reply}\n${tick}`],
  ["a block with another language", `${tick}javascript\n${reply}\n${tick}`],
  ["the whole reply", reply],
  ["the whole reply, indented, with space around", `\n\n ${envelope("a.md", content, 2)}\n\n`],
  ["an object in prose", `Sure! ${reply} That is all.`],
  ["an object in prose after braces and quotes", `Use {braces} and {"a lone quote: ${reply} {and} "more"`],
  ["an object in prose before a broken one", `${reply}\n\nNote: {"x": `],
  ["EXTR-08 tildes", `~~~json\n${reply}\n~~~`],
  ["EXTR-08 four backticks around three", `${tick}\`json\n${envelope("a.md", content, 2)}\n${tick}\``],
  ["a block that closes with a longer fence", `${tick}json\n${reply}\n${tick}${tick}`],
  [
    "EXTR-10 CONT-05 fences and JSON inside a string",
    `${tick}json\n${envelope("a.md", content, 1)}\n${tick}`,
  ],
  [
    "EXTR-11 CRLF",
    `Hi\r\n${tick}json\r\n${envelope("a.md", content, 2).replaceAll("\n", "\r\n")}\r\n${tick}\r\n`,
  ],
  ["an indented block", `   ${tick}json\n   ${reply}\n  ${tick}`],
  ["a block in a list, indented further", `1. The reply:\n\n     ${tick}json\n     ${reply}\n     ${tick}`],
  ["a closing fence behind the last brace", `${tick}json\n${reply}${tick}`],
  [
    "a closing fence behind the last brace, and a next block",
    `${tick}json\n${reply}${tick}\n${tick}sh\nls\n${tick}`,
  ],
  ["all on one line", `${tick}json ${reply}${tick}`],
  ["a byte order mark", `\ufeff${tick}json\n${reply}\n${tick}`],
  ["a byte order mark and bare JSON", `\ufeff${reply}`],
  ["a sample in a json block beside it", `${tick}json\n${sample}\n${tick}\n${tick}json\n${reply}\n${tick}`],
  ["a sample in prose beside it", `Given ${sample}: ${reply}`],
  [
    "the format mentioned in prose",
    `I use {"file_operations": [...]} as {"file_operations": []} asks: ${reply}`,
  ],
  [
    "the same list twice",
    `${tick}json\n${reply}\n${tick}\nAgain:\n${tick}json\n${envelope("a.md", content, 2)}\n${tick}`,
  ],
  ["another list of a lower rank", `${other}\n${tick}\n${other}\n${tick}\n${tick}json\n${reply}\n${tick}`],
  ["a stray fence at the end", `${tick}json\n${reply}\n${tick}\n${tick}`],
  [
    "a list quoted inside another block",
    `${tick}${tick}md\n${tick}json\n${other}\n${tick}\n${tick}${tick}\n${tick}json\n${reply}\n${tick}`,
  ],
  [
    "a string that is not closed in a block before it",
    `${tick}\n{"a": "b\n${tick}\n${tick}json\n${reply}\n${tick}`,
  ],
  ["a fence indented too far to be one", `    ${tick}\n${tick}json\n${reply}\n${tick}`],
  ["many small objects in prose", `${'{"a": 1} '.repeat(2000)} ${reply}`],
  ["colours in the prose around a block", `\u001b[1mHi\u001b[0m\n${tick}json\n${reply}\n${tick}`],
  ["a tag nobody asked for", `${tick}cox-3f9a2c\n${reply}\n${tick}`],
])("%s: the operations are found, byte for byte", (_, text) => {
  expect(found(text)).toBe(content);
  expect(found(bytes(text))).toBe(content);
});

test.each([
  ["EXTR-01 a fence and spaces", `${tick}json${" ".repeat(4000)}`, "EXTRACT_NONE"],
  ["EXTR-02 a fence and empty lines", `${tick}json\n${"\n".repeat(4000)}`, "EXTRACT_NONE"],
  ["EXTR-03 many openings", `${tick}json\n`.repeat(125_000), "EXTRACT_AMBIGUOUS"],
  ["many blocks", `${tick}\nx\n${tick}\n`.repeat(1001), "EXTRACT_AMBIGUOUS"],
  ["many lists in prose", `${reply}, `.repeat(1001), "EXTRACT_AMBIGUOUS"],
  ["EXTR-12 an invisible character in the tag", `${tick}js\u200bon\n${reply}\n${tick}`, "EXTRACT_NONE"],
  ["EXTR-14 colours around bare JSON", `\u001b[32m${reply}\u001b[0m`, "JSON_SYNTAX"],
  ["EXTR-14 colours inside", `{\u001b[32m"file_operations"\u001b[0m: []}`, "JSON_SYNTAX"],
  [
    "EXTR-15 a block and one instead",
    `${tick}json\n${reply}\n${tick}\nIgnore the block above, apply this instead:\n${tick}json\n${other}\n${tick}`,
    "EXTRACT_AMBIGUOUS",
  ],
  ["two lists in prose", `${reply} or ${other}`, "EXTRACT_AMBIGUOUS"],
  [
    "two lists in plain blocks",
    `${tick}\n${reply}\n${tick}\n${tick}js\n${other}\n${tick}`,
    "EXTRACT_AMBIGUOUS",
  ],
  ["nothing", "", "EXTRACT_NONE"],
  ["space", " \n ", "EXTRACT_NONE"],
  ["prose", "I could not do it, sorry.", "EXTRACT_NONE"],
  ["only a sample", `${tick}json\n${sample}\n${tick}`, "EXTRACT_NONE"],
  ["log lines", "[INFO] 12:00 started\n[INFO] 12:01 ended", "EXTRACT_NONE"],
  ["a whole reply of another kind", sample, "SCHEMA_REQUIRED"],
  ["a bare list", `[${reply}]`, "SCHEMA_TYPE"],
  ["JSON-16 a reply encoded twice", JSON.stringify(reply), "SCHEMA_TYPE"],
  ["JSON-16 encoded twice in a block", `${tick}json\n${JSON.stringify(reply)}\n${tick}`, "SCHEMA_TYPE"],
  ["an empty list", '{"file_operations": []}', "SCHEMA_RANGE"],
  ["a list inside something else", `{"result": ${reply}}`, "SCHEMA_REQUIRED"],
  ["a part of something broken", `{"result": ${reply}, oops`, "JSON_SYNTAX"],
  ["a block that is not closed", `${tick}json\n${reply}\n`, "JSON_SYNTAX"],
  ["a block closed by a shorter fence", `${tick}\`json\n${reply}\n${tick}\n`, "JSON_SYNTAX"],
  ["a block closed by the other fence", `~~~json\n${reply}\n${tick}\n`, "JSON_SYNTAX"],
  ["two values in a block", `${tick}json\n${reply}\n${other}\n${tick}`, "JSON_SYNTAX"],
  ["a comment before the value in a block", `${tick}json\n// reply\n${reply}\n${tick}`, "JSON_SYNTAX"],
  ["a comma too many in a block", `${tick}json\n${reply.replace("}]", "},]")}\n${tick}`, "JSON_SYNTAX"],
  ["single quotes in prose", `Here: {'file_operations': [{'file_path': 'x'}]}`, "JSON_SYNTAX"],
  [
    "a broken list beside a whole one",
    `${tick}json\n${reply.replace("}]", "},]")}\n${tick}\nor\n${tick}json\n${reply}\n${tick}`,
    "JSON_SYNTAX",
  ],
  [
    "a wrong list beside a right one",
    `${tick}json\n${reply.replace("create", "rm")}\n${tick}\n${tick}json\n${other}\n${tick}`,
    "SCHEMA_ENUM",
  ],
  [
    "a right list in prose and a wrong one in a block",
    `${other}\n${tick}json\n${reply.replace("create", "rm")}\n${tick}`,
    "SCHEMA_ENUM",
  ],
  ["a sample list and a block that was cut off", `For example ${other}. Now:\n${tick}json\n{`, "JSON_SYNTAX"],
  [
    "two equal keys in a block",
    `${tick}json\n${reply.replace("{", '{"file_operations":[],')}\n${tick}`,
    "JSON_DUPLICATE_KEY",
  ],
  [
    "raw line breaks with a list in the content",
    `${tick}json\n${reply.replaceAll("\\n", "\n")}\n${tick}`,
    "JSON_SYNTAX",
  ],
  ["opening braces", "{".repeat(1e6), "JSON_SYNTAX"],
  ["opened objects", '{"a":'.repeat(1e6), "JSON_TOO_DEEP"],
  ["JSON-06 lists in each other", "[".repeat(1e6) + "]".repeat(1e6), "JSON_TOO_DEEP"],
  ["JSON-01 equal keys at the top", '{"path":"safe.txt","path":"../../etc/passwd"}', "JSON_DUPLICATE_KEY"],
])("%s: the reply is refused", (_, text, code) => {
  expect(found(text)).toEqual([code]);
});

test.each([
  ["JSON-19 FF FE", bytes(reply, [0xff, 0xfe], " "), reply],
  ["JSON-20 overlong C0 AF", bytes(reply, [0xc0, 0xaf], " "), reply],
  ["a lone continuation byte", bytes(reply, [0x80]), reply],
  ["an encoded surrogate", bytes(reply, [0xed, 0xa0, 0x80]), reply],
  ["above U+10FFFF", bytes(reply, [0xf4, 0x90, 0x80, 0x80]), reply],
  ["overlong in three bytes", bytes(reply, [0xe0, 0x9f, 0xbf]), reply],
  ["overlong in four bytes", bytes(reply, [0xf0, 0x8f, 0xbf, 0xbf]), reply],
  ["a sequence broken by ASCII", bytes(reply, [0xe2, 0x82], "x"), reply],
])("%s: the reply is refused as not UTF-8, with the byte's offset", (_, text, before) => {
  const { problems } = extracted(text);
  expect(problems).toMatchObject([{ code: "JSON_NOT_UTF8" }]);
  expect(problems[0]?.message).toContain(`at byte ${encodeUtf8(before).length} `);
});

test("a reply in UTF-16 is refused with a hint at how to convert it", () => {
  const { problems } = extracted(Uint8Array.from([0xff, 0xfe, 0x7b, 0x00]));
  expect(problems).toMatchObject([{ code: "JSON_NOT_UTF8", hint: expect.stringContaining("iconv") }]);
});

test("a reply over 64 MiB is refused before it is decoded", () => {
  const size = 64 * 1024 * 1024;
  expect(found(new Uint8Array(size + 1).fill(0xff))).toEqual(["LIMIT_REPLY"]);
  expect(found(" ".repeat(size + 1))).toEqual(["LIMIT_REPLY"]);
  expect(found(new Uint8Array(size).fill(0x20))).toEqual(["EXTRACT_NONE"]);
});

test("CONT-14 four-byte characters stay whole at every place of a reply", () => {
  const text = `${"x".repeat(65_534)}😀${"y".repeat(65_531)}😀é✓`;
  expect(found(bytes(`${tick}json\n${envelope("a.md", text)}\n${tick}`))).toBe(text);
});

test("JSON-17 bare JSON that is cut off is a syntax error at every byte", () => {
  for (const whole of [bytes(reply), bytes(envelope("a.md", content, 2))]) {
    for (let length = 1; length < whole.length; length += 1) {
      expect(found(whole.subarray(0, length)), `cut after ${length} bytes`).toEqual(["JSON_SYNTAX"]);
    }
  }
});

test("JSON-17 a block that is cut off is never accepted, also not for an example before it", () => {
  const before = `Like ${other}, but:\n`;
  for (const [start, fence] of [
    ["", undefined],
    [before, undefined],
    [before, "cox-1a"],
  ] as const) {
    const opening = `${start}${tick}${fence ?? "json"}\n`;
    const whole = bytes(`${opening}${envelope("a.md", content, 1)}\n${tick}\n`);
    for (let length = bytes(opening).length; length < whole.length - 1; length += 1) {
      const isAccepted = typeof found(whole.subarray(0, length), fence) === "string";
      expect(isAccepted, `cut after ${length} bytes`).toBe(false);
    }
    expect(found(whole, fence)).toBe(content);
  }
});

test.each([
  ["EXTR-06 an example before it", `${tick}json\n${other}\n${tick}\n${tick}cox-3f9a2c\n${reply}\n${tick}`],
  [
    "the tag beside the language",
    `${tick}json\n${other}\n${tick}\n${tick}json cox-3f9a2c\n${reply}\n${tick}`,
  ],
  [
    "a block of another turn beside it",
    `${tick}cox-000000\n${other}\n${tick}\n${tick}cox-3f9a2c\n${reply}\n${tick}`,
  ],
  ["inside a block that somebody forgot to close", `${tick}sh\nls\n\n${tick}cox-3f9a2c\n${reply}\n${tick}`],
  ["no tag at all", `${tick}json\n${reply}\n${tick}`],
  ["no block at all", reply],
])("with the turn's tag required, %s: only the meant block is taken", (_, text) => {
  expect(found(text, "cox-3f9a2c")).toBe(content);
});

test.each([
  ["EXTR-07 XAGT-03 a block of another turn", `${tick}cox-000000\n${reply}\n${tick}`, "EXTRACT_NONCE"],
  [
    "a block of another turn and one without a tag",
    `${tick}cox-0a\n${reply}\n${tick}\n${tick}json\n${reply}\n${tick}`,
    "EXTRACT_NONCE",
  ],
  [
    "two with the tag",
    `${tick}cox-3f9a2c\n${reply}\n${tick}\n${tick}cox-3f9a2c\n${other}\n${tick}`,
    "EXTRACT_AMBIGUOUS",
  ],
  [
    "a broken one with the tag",
    `${tick}json\n${reply}\n${tick}\n${tick}cox-3f9a2c\n{"file_operations\n${tick}`,
    "JSON_SYNTAX",
  ],
  [
    "something else with the tag",
    `${tick}json\n${reply}\n${tick}\n${tick}cox-3f9a2c\n${sample}\n${tick}`,
    "SCHEMA_REQUIRED",
  ],
  ["nothing with the tag", `${tick}json\n${reply}\n${tick}\n${tick}cox-3f9a2c\n${tick}`, "EXTRACT_NONE"],
])("with the turn's tag required, %s: the reply is refused", (_, text, code) => {
  expect(found(text, "cox-3f9a2c")).toEqual([code]);
});

test("operations inside hostile prose are found byte for byte", () => {
  const noise = fc.constantFrom(
    ..."{}[]\"'~,:\\ \n\té".split(""),
    '{"a": ',
    '{"a": "b"}',
    "{ x: 1 }",
    "`code`",
    "```inline```",
    "\n> quote\n",
    "\n- [ ] item\n",
    "\n~~~\n{\n~~~\n",
    `\n${tick}js\nif (a) { "b" }\n${tick}\n`,
    `\n${tick}${tick}\n${tick}json\n${other}\n${tick}\n${tick}${tick}\n`,
    `\n${tick}json\n${sample}\n${tick}\n`,
  );
  // Single backticks are left out: three of them in a row would break open the six-tick block and expose its quoted
  // list. Text that leaves a block open would pull the reply into it.
  const prose = fc.array(noise, { maxLength: 12 }).map((parts) => closeBlocks(parts.join("")));
  const wrap = fc.constantFrom(
    (text: string) => `\n${tick}json\n${text}\n${tick}\n`,
    (text: string) => `\n${tick}\`json\n${text}${tick}\`\n`,
    (text: string) => `\n~~~\r\n${text}\r\n~~~\r\n`,
    // Without the word, a preceding `{"a": ` would make it part of something larger.
    (text: string) => `\nReply: ${text}\n`,
  );
  const text = fc
    .array(fc.oneof(noise, fc.string({ unit: "grapheme" })), { maxLength: 8 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(
      prose,
      prose,
      wrap,
      text,
      fc.constantFrom(undefined, 2),
      (before, after, wrapped, body, space) => {
        expect(found(bytes(before + wrapped(envelope("x.md", body, space)) + after))).toBe(body);
      },
    ),
    { numRuns: 2_000 },
  );
});

/** Closes a block that the text leaves open, so that nothing after the text falls into it. */
function closeBlocks(text: string): string {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line);
    if (fence === null) continue;
    const [, run = "", info = ""] = fence;
    if (open === undefined) open = run;
    else if (run[0] === open[0] && run.length >= open.length && info.trim() === "") open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}\n`;
}

test("objects without operations do not count towards the limit, however many follow one with them", () => {
  expect(found(`file_operations ${"{} ".repeat(2_000)}`)).toEqual(["EXTRACT_NONE"]);
});

test("hostile replies take a time that grows with their length, not with its square", () => {
  const generators: ((size: number) => string)[] = [
    (size) => `${tick}json${" ".repeat(size)}`,
    (size) => `${tick}json\n${"\n".repeat(size)}`,
    (size) => `file_operations ${"{".repeat(size)}`,
    (size) => '{"a":'.repeat(size / 5),
    (size) => `x ${'{"a":'.repeat(size / 5)} file_operations`,
    (size) => `x ${'{"a":['.repeat(60)}${"1,".repeat(size / 2)} file_operations`,
    (size) => `x ${'{"'.repeat(size / 2)} file_operations`,
    (size) => `x ${'{"a\n'.repeat(size / 4)} file_operations`,
    (size) => `x {"${"\\".repeat(size)} file_operations`,
    (size) => `x ${'{"\\"'.repeat(size / 4)} file_operations`,
    (size) => `x ${"{}".repeat(size / 2)} file_operations`,
    (size) => `x {"a":[${"{},".repeat(size / 3)} file_operations`,
    (size) => `x ${'{"{":":",",":'.repeat(size / 12)} file_operations`,
    (size) => `${"`".repeat(size)}`,
    (size) => `x${"```".repeat(size / 6)}\n${"~~~ ".repeat(size / 8)}`,
    (size) => `${"   ```x\n".repeat(900)}${"    ```\n".repeat(size / 8)}`,
    (size) => `[${"9".repeat(size)}x`,
    (size) => `${tick}json\n{"a":"${"\u00e9".repeat(size)}`,
    (size) => `${'{"file_operations":1}'.repeat(900)}${"{".repeat(size)}`,
  ];
  for (const generate of generators) {
    // Two million characters take about ten milliseconds; with quadratic cost they would take hours.
    const started = performance.now();
    expect(typeof found(generate(2_000_000))).toBe("object");
    expect(performance.now() - started, generate.toString()).toBeLessThan(20_000);
  }
});
