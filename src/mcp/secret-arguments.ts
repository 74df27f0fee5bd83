/**
 * Finds secrets in what a tool is about to write: a note, a section, a title. Uses the same patterns as the policy for
 * files, and responds the same way: asks the person in front of the client, and refuses if nobody can be asked.
 */
import { secretContent } from "../change/policy/secret-content.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { isJsonObject } from "./stdio/read-message.ts";
import type { AskPerson } from "./tool.ts";
import { allow, refuse } from "./tools/files/confirmation-words.ts";

export async function whySecretsNotAllowed(
  given: unknown,
  person: AskPerson | undefined,
): Promise<readonly Problem[]> {
  const found = secretArguments(given, "");
  if (found.length === 0) return [];
  if (!person) return found.map((problem) => ({ ...problem, hint: byHand }));
  const shown = found.map(({ field, message }) => `${oneLine(field ?? "", 100)}: ${message}`).join("\n");
  const question = `An agent wants to write this into the documents, and only you may allow it:\n\n${shown}`;
  return (await person.choose(question, [allow, refuse])) === allow ? [] : [denied];
}

const byHand =
  "Say where the secret is kept, not what it is; if it is a made-up value, a person can write it into the file by hand.";

const denied: Problem = {
  code: "CONFIRM_DENIED",
  message: "the person did not allow it; nothing was changed",
  hint: "Call it again without the secret: say where it is kept, not what it is.",
};

/** `at` is the name of the argument: `note`, `operations[1].content`. */
function secretArguments(given: unknown, at: string): Problem[] {
  if (typeof given === "string") {
    const problem = secretContent("", given);
    return problem ? [{ ...problem, field: at }] : [];
  }
  if (Array.isArray(given)) return given.flatMap((one, index) => secretArguments(one, `${at}[${index}]`));
  if (!isJsonObject(given)) return [];
  return Object.entries(given).flatMap(([key, one]) =>
    secretArguments(one, at === "" ? key : `${at}.${key}`),
  );
}
