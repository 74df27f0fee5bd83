/** One operation on the staged image of its file: the bytes afterwards, or why not. */
import type { Edit, Operation } from "../reply/reply.ts";
import { unreachable } from "../std/assert.ts";
import { concatBytes } from "../std/bytes.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { fileBytesMax, tooLarge } from "./limits.ts";
import { applyPatch } from "./patch.ts";
import type { TreePath } from "./path.ts";
import { type Edited, replace } from "./replace.ts";

export type Executed =
  /** No bytes: the file is gone. */
  | { readonly after: Uint8Array | undefined }
  | { readonly instructions: string }
  | { readonly problem: Problem };

export function execute(operation: Operation, path: TreePath, before: Uint8Array | undefined): Executed {
  switch (operation.operation) {
    case "create":
      if (before) return { problem: exists(path) };
      return bounded(encodeUtf8(operation.content));
    case "append":
      // A file that is not there is a misspelt path more often than a wish to begin one.
      if (!before) return { problem: missing(path, "append to", "Use `create` to begin a new file.") };
      return bounded(concatBytes([before, encodeUtf8(operation.content)]));
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
      return edited(replace(before, edit.replacements));
    case "patch":
      return edited(applyPatch(before, edit.patch, path));
    case "instructions":
      return { instructions: edit.instructions };
    default:
      return unreachable(edit);
  }
}

function edited(result: Edited): Executed {
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
