/** The words and options typed after `cox apply`, as data. */
import { isChangesetId } from "../../changeset/changesets-folder.ts";
import type { ReplyRules } from "../../runtime/acts/consider-reply.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandContext } from "../command-context.ts";

export interface ApplyRequest extends ReplyRules {
  /** A path, or `-` for stdin. */
  readonly input: string;
  readonly root: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly fence?: string;
  readonly id?: string;
}

export function readApplyRequest({
  words,
  values,
}: CommandContext): ApplyRequest | { readonly problem: Problem } {
  const id = values.one("id");
  const fence = values.one("fence");
  if (id !== undefined && !isChangesetId(id)) return { problem: badId(id) };
  return {
    input: words[0] ?? "-",
    root: values.one("root") ?? ".",
    dryRun: values.has("dry-run"),
    yes: values.has("yes"),
    confirmDeletes: (values.one("confirm-deletes") ?? "declared") as ReplyRules["confirmDeletes"],
    writes: values.all("writes"),
    ...(fence !== undefined && { fence }),
    ...(id !== undefined && { id }),
  };
}

function badId(id: string): Problem {
  return {
    code: "USAGE",
    message: `${quote(id)} is not a valid changeset id`,
    hint: "--id takes 1 to 64 lower-case letters, digits and dashes, starting with a letter or digit.",
  };
}
