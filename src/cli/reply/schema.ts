/** `cox schema reply|auditor`: prints the JSON Schema of a model's reply in that role. */

import { auditorJsonSchema, replyJsonSchema } from "../../reply/reply-json-schema.ts";
import { quote } from "../../std/printable.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";

export async function schema({ words, terminal }: CommandContext): Promise<ExitCode> {
  const name = words[0];
  const schemaOf = name !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schemaOf !== undefined) {
    terminal.print(jsonText(schemaOf(), 2));
    return exit.done;
  }
  const problem = {
    code: "USAGE",
    message: name === undefined ? "which schema?" : `there is no schema ${quote(name, 60)}`,
    hint: "Type: cox schema reply, or: cox schema auditor",
  };
  terminal.notice(problemsText([problem], "error", terminal.noticePaint));
  return exit.usage;
}

const schemas: Readonly<Record<string, () => Record<string, unknown>>> = {
  reply: replyJsonSchema,
  auditor: auditorJsonSchema,
};
