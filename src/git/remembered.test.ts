import { expect, test } from "vitest";
import { RememberedAnswers } from "./remembered.ts";

test("a remembered answer of git is found until too many newer ones are kept", async () => {
  const remembered = new RememberedAnswers<number>(2);
  for (const [at, question] of ["a", "b", "a", "c"].entries()) remembered.keep(question, Promise.resolve(at));
  expect(await remembered.find("a")).toBe(2);
  expect(remembered.find("b")).toBeUndefined();
  expect(await remembered.find("c")).toBe(3);
});

test("a failed question to git is not remembered, so the next caller asks again", async () => {
  const remembered = new RememberedAnswers<number>(2);
  await expect(remembered.keep("a", Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(remembered.find("a")).toBeUndefined();
});
