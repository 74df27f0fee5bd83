import { expect, test } from "vitest";
import { claimsIn, undelivered } from "./claims.ts";

test.each([
  ["I have created src/x.ts and updated package.json.", ["src/x.ts", "package.json"]],
  [
    "I've updated `src/db/users.ts`, ./a/b.py (new) and **README.md**.",
    ["src/db/users.ts", "a/b.py", "README.md"],
  ],
  [
    "I updated the following files:\n\n- `src/a.ts`: uses src/other.ts\n- src/b.ts - new\n\nsrc/c.ts is as it was.",
    ["src/a.ts", "src/b.ts"],
  ],
  ["- Created src/x.ts\n- Updated src/y.ts", ["src/x.ts", "src/y.ts"]],
  ["src/x.ts was updated.", ["src/x.ts"]],
  ["I updated src/a.ts to use src/b.ts.", ["src/a.ts"]],
  ["I changed nothing in src/a.ts.", []],
  ["I fixed the check of users.email in Node.js 20.1.", []],
  ["I have read src/x.ts.", []],
  ["I fixed src/x.ts. See https://example.com/a/b.html", ["src/x.ts"]],
])("the words %j claim %j", (words, files) => {
  expect(claimsIn(words).files).toEqual(files);
});

const claimed = claimsIn("I have created src/x.ts and lib/y.ts.");

test("claimed files that were changed are no problem, however they are named", () => {
  expect(undelivered(claimed, ["src/x.ts", "lib/y.ts", "z.ts"])).toEqual([]);
  expect(undelivered(claimsIn("I wrote x.ts."), ["src/x.ts"])).toEqual([]);
  expect(undelivered(claimsIn("I wrote /desk/src/x.ts."), ["src/x.ts"])).toEqual([]);
  expect(undelivered(claimsIn("Nothing had to be changed."), [])).toEqual([]);
});

test("a claimed file that was not changed is named", () => {
  expect(undelivered(claimed, ["src/x.ts"])).toMatchObject([
    { code: "REPLY_CLAIM_ONLY", message: expect.stringContaining("were not: lib/y.ts") },
  ]);
  expect(undelivered(claimsIn("I wrote x.ts."), ["src/ax.ts"])).toHaveLength(1);
});

test("a claim without a file name is a problem if nothing changed at the desk", () => {
  const all = claimsIn("All files have been updated.");
  expect(undelivered(all, [])).toMatchObject([{ code: "REPLY_CLAIM_ONLY" }]);
  expect(undelivered(all, ["a.ts"])).toEqual([]);
});

test("a tool call written out as text is a problem if nothing changed", () => {
  const call = claimsIn('<invoke name="Write">');
  expect(undelivered(call, [])).toMatchObject([{ code: "REPLY_TOOL_CALL_TEXT" }]);
  expect(undelivered(call, ["a.ts"])).toEqual([]);
});

test("the number of claims is bounded, and so is the message about them", () => {
  const many = claimsIn(
    `I updated these files:\n${Array.from({ length: 5_000 }, (_, n) => `- a/${n}.ts\n`).join("")}`,
  );
  expect(many.files.length).toBeLessThanOrEqual(1_000);
  expect(undelivered(many, [])[0]?.message.length).toBeLessThan(1_500);
});
