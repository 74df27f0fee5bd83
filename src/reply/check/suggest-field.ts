/** Guesses which field of the reply format an unknown field was meant to be. */
import { closestName } from "../../std/closest-name.ts";

export function suggestField(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replace(/[\s-]/g, "_");
  const alias = aliases[plain];
  if (alias !== undefined && known.includes(alias)) return alias;
  return closestName(plain, known);
}

/** What other tools' formats call the same thing. */
const aliases: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  op: "operation",
  action: "operation",
  type: "operation",
  path: "file_path",
  file: "file_path",
  filename: "file_path",
  filepath: "file_path",
  text: "content",
  body: "content",
  contents: "content",
  diff: "patch",
  instructions: "edit_instructions",
  reason: "description",
  explanation: "description",
  old_str: "old_string",
  old_text: "old_string",
  search: "old_string",
  find: "old_string",
  new_str: "new_string",
  new_text: "new_string",
  replace: "new_string",
  replacement: "new_string",
  all: "replace_all",
  sha256: "base_sha256",
  hash: "base_sha256",
  operations: "file_operations",
  ops: "file_operations",
  files: "file_operations",
  changes: "file_operations",
  summary: "specialist_summary",
  result: "verdict",
  decision: "verdict",
  issues: "findings",
  problems: "findings",
});
