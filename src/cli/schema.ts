/** `cox schema reply|auditor`: the JSON Schema of what a model should reply, in its role. */
import { auditorJsonSchema, replyJsonSchema } from "../reply/reply-json-schema.ts";
import { quote } from "../std/printable.ts";
import { problemsText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";

export async function schema({ words, terminal }: Door): Promise<ExitCode> {
  const name = words[0];
  const schemaOf = name !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schemaOf !== undefined) {
    terminal.print(`${JSON.stringify(schemaOf(), null, 2)}\n`);
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
