import { expect, test } from "vitest";
import type { Confirmation } from "../../change/policy/policy.ts";
import type { Considered } from "../../runtime/acts/consider-reply.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { noPaint } from "../../view/text/paint.ts";
import type { Person } from "../terminal/person.ts";
import { confirm } from "./confirm.ts";

test.each([
  [["y", "yes"], undefined],
  [["Y", "y"], undefined],
  [["y", "n"], "b"],
  [["n"], "a"],
  [[""], "a"],
  [["yep"], "a"],
  [[undefined], "a"],
])("the answers %j deny %s", async (answers, path) => {
  const { person } = personWith(answers);
  expect((await asked(person))?.path).toBe(path);
});

test("answering d shows the difference and asks the same question again", async () => {
  const { person, told } = personWith(["d", "y", "y"]);
  expect(await asked(person)).toBeUndefined();
  expect(told.join("")).toContain("-old\n+new");
});

test("twenty lines of a file to be deleted are shown before the question", async () => {
  const { person, told } = personWith(["n"]);
  const before = () => encodeUtf8("line\n".repeat(25));
  await asked(person, { before, after: () => undefined });
  expect(told[0]?.match(/- line/g)).toHaveLength(20);
  expect(told[0]).toContain("… 5 more lines");
});

function asked(person: Person, part: Partial<Considered> = {}) {
  const confirmation = (path: string) =>
    ({ code: "PATH_SENSITIVE", message: "m", hint: "h", path, sha256: "0" }) as unknown as Confirmation;
  const considered = {
    confirmations: [confirmation("a"), confirmation("b")],
    before: () => encodeUtf8("old\n"),
    after: () => encodeUtf8("new\n"),
    ...part,
  } as unknown as Considered;
  return confirm({ person, considered, paint: noPaint, signal: new AbortController().signal });
}

function personWith(answers: readonly (string | undefined)[]) {
  const left = [...answers];
  const told: string[] = [];
  const person: Person = {
    tell: (text) => told.push(text),
    ask: async () => left.shift(),
  };
  return { person, told };
}
