import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptInPrompt } from "../../test/doubles/script-in-prompt.ts";
import { promptScript } from "./prompt-script.ts";

test("a step in a prompt is read as it was written, among any words", () => {
  const words = fc.string({ unit: "grapheme" });
  const steps = fc.array(fc.record({ text: words }), { minLength: 1 });
  fc.assert(
    fc.property(words, steps, words, (before, steps, after) => {
      expect(promptScript(`${before}\n${scriptInPrompt({ steps })}\n${after}`)).toEqual({ steps });
    }),
  );
});

test("of several scripts in one prompt the last one counts", () => {
  const text = ["one", "two"].map((said) => scriptInPrompt({ steps: [{ text: said }] })).join(" or ");
  expect(promptScript(text)).toEqual({ steps: [{ text: "two" }] });
});

test.for(["", "hello", "MODEL-SCRIPT", "SCRIPT-END MODEL-SCRIPT"])("%j holds no script", (text) => {
  expect(promptScript(text)).toBeUndefined();
});
