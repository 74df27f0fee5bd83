/** Runs one operation on the staged image of its file and returns the new bytes, or why it failed. */
import type { Edit, Operation } from "../reply/reply.ts";
import { unreachable } from "../std/assert.ts";
import { concatBytes } from "../std/bytes.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { foreignEncoding } from "./edit/encoding.ts";
import { applyPatch } from "./edit/patch.ts";
import { type ReplaceResult, replace } from "./edit/replace.ts";
import { fileBytesMax, tooLarge } from "./limits.ts";
import type { TreePath } from "./path.ts";

export type Executed =
  /** `undefined` means that the file is removed. */
  | { readonly after: Uint8Array | undefined }
  | { readonly instructions: string }
  | { readonly problem: Problem };

export function execute(operation: Operation, path: TreePath, before: Uint8Array | undefined): Executed {
  switch (operation.operation) {
    case "create":
      if (before) return { problem: exists(path) };
      return bounded(encodeUtf8(operation.content));
    case "append":
      // A missing file is more often a misspelt path than a request for a new one.
      if (!before) return { problem: missing(path, "append to", "Use `create` to begin a new file.") };
      return unlessForeign(path, before) ?? bounded(concatBytes([before, encodeUtf8(operation.content)]));
    case "edit":
      if (!before) return { problem: missing(path, "edit", "Use `create` to make a new file.") };
      return executeEdit(operation.edit, path, before);
    case "delete":
      if (!before)
        return { problem: missing(path, "delete", "Leave the operation out if the file is gone.") };
      return { after: undefined };
    default:
      return unreachable(operation);
  }
}

function executeEdit(edit: Edit, path: TreePath, before: Uint8Array): Executed {
  switch (edit.by) {
    case "content":
      return bounded(encodeUtf8(edit.content));
    case "replacements":
      return unlessForeign(path, before) ?? edited(replace(before, edit.replacements));
    case "patch":
      return unlessForeign(path, before) ?? edited(applyPatch(before, edit.patch, path));
    case "instructions":
      return { instructions: edit.instructions };
    default:
      return unreachable(edit);
  }
}

function unlessForeign(path: TreePath, before: Uint8Array): { problem: Problem } | undefined {
  const encoding = foreignEncoding(before);
  if (!encoding) return undefined;
  const { name, sign } = encoding;
  return {
    problem: {
      code: "OPS_ENCODING",
      message: `${quote(path)} is in ${name} (it ${sign}), and a reply is in UTF-8: nothing can be found in it or added to it safely`,
      hint: `Give the whole new \`content\`, which makes the file UTF-8; or leave it to a person, who converts it first: iconv -f ${name} -t UTF-8`,
    },
  };
}

function edited(result: ReplaceResult): Executed {
  return "problem" in result ? result : bounded(result.bytes);
}

function bounded(after: Uint8Array): Executed {
  return after.length > fileBytesMax ? { problem: tooLarge(after.length) } : { after };
}

function exists(path: TreePath): Problem {
  return {
    code: "OPS_EXISTS",
    message: `${quote(path)} exists already; create never overwrites`,
    hint: "Use `edit`, with `edits`, a `patch`, or the whole new `content`.",
  };
}

function missing(path: TreePath, verb: string, hint: string): Problem {
  return { code: "OPS_MISSING", message: `there is no file ${quote(path)} to ${verb}`, hint };
}
