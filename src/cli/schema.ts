/** `cox schema reply`: the JSON Schema of what a model should reply. */
import { replyJsonSchema } from "../reply/schema.ts";
import { quote } from "../std/printable.ts";
import { problemsText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";

export async function schema({ words, terminal }: Door): Promise<ExitCode> {
  const name = words[0];
  if (name === "reply") {
    terminal.print(`${JSON.stringify(replyJsonSchema(), null, 2)}\n`);
    return exit.done;
  }
  const problem = {
    code: "USAGE",
    message: name === undefined ? "which schema?" : `there is no schema ${quote(name, 60)}`,
    hint: "Type: cox schema reply",
  };
  terminal.notice(problemsText([problem], "error", terminal.noticePaint));
  return exit.usage;
}
