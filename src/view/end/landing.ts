/** A landing in words: which branch moves and how, and which files of the checkout change. */
import { counted, grouped } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import { named, shortSha } from "../status/task-words.ts";
import { type Display, lineText, type StyledLine } from "../text/line.ts";
import { wrapped } from "../text/width.ts";

export interface LandingShown {
  readonly run: string;
  /** Null if HEAD is detached. */
  readonly branch: string | null;
  readonly from: string;
  readonly tip: string;
  /** The commits that land on the branch, not counting the merge. */
  readonly commits: number;
  readonly how: "fast-forward" | "merge";
  readonly files: readonly { readonly path: string; readonly change: "added" | "changed" | "deleted" }[];
  /** The proof for the tree; if it is `none`, these commands are run first. */
  readonly proof: "passed" | "no-commands" | "none";
  readonly commands: readonly string[];
  /** Changed files that are read-only here: git does not record that, so no agent knew. */
  readonly readOnly: readonly string[];
  /** What the user's git would have done with such commits (signing, hooks) and was not done. */
  readonly bypassed: { readonly signature: boolean; readonly hooks: readonly string[] };
  readonly done: number;
  readonly total: number;
}

const rowsMax = 20;
const signs = { added: ["green", "+"], changed: ["yellow", "~"], deleted: ["red", "-"] } as const;

export function landingText(landing: LandingShown, look: Display): string {
  const { run, branch, from, tip, commits, how, files, done, total } = landing;
  const onto = branch === null ? `your HEAD (detached at ${shortSha(from)})` : oneLine(branch, 80);
  const move =
    how === "merge"
      ? `${shortSha(from)} → a merge commit with ${shortSha(tip)}`
      : `${shortSha(from)} → ${shortSha(tip)}, fast-forward`;
  // Each on its own line, so that a narrow terminal does not cut what a person must know before approving.
  const notes = [
    ...(done < total ? [`the run is not over: ${done} of ${counted(total, "task")}`] : []),
    ...proofNotes(landing),
    ...readOnlyNotes(landing),
    ...bypassNotes(landing),
  ].flatMap((words) => noteLines(words, look));
  const rows = files.slice(0, rowsMax).map(({ path, change }): StyledLine => {
    const [style, sign] = signs[change];
    return ["  ", [style, sign], ` ${oneLine(path, 200)}`];
  });
  const left = files.length - rows.length;
  const lines: StyledLine[] = [
    [["bold", `cox/${oneLine(run, 60)} onto ${onto}`]],
    [`  ${move} · ${counted(commits, "commit")} · ${filesWords(files)}`],
    ...notes,
    ...rows,
    ...(left > 0 ? [[["dim", `  … ${counted(left, "more file")}`]] satisfies StyledLine] : []),
  ];
  return `${lines.map((line) => lineText(line, look)).join("\n")}\n`;
}

/** "3 files: 1 added, 2 changed" */
function filesWords(files: LandingShown["files"]): string {
  const counts = (["added", "changed", "deleted"] as const).flatMap((change) => {
    const count = files.filter((file) => file.change === change).length;
    return count > 0 ? [`${grouped(count)} ${change}`] : [];
  });
  return [counted(files.length, "file"), ...(counts.length > 0 ? [counts.join(", ")] : [])].join(": ");
}

function proofNotes({ how, proof, commands }: LandingShown): string[] {
  if (proof === "none" && commands.length > 0)
    return [`not verified yet; these run on it first: ${named(commands, 5)}`];
  if (proof === "none") return ["not verified, and no command is run on it"];
  const isUnseen = proof === "no-commands" && how === "merge";
  return isUnseen ? ["not verified: the plan has no verify command"] : [];
}

function readOnlyNotes({ readOnly }: LandingShown): string[] {
  if (readOnly.length === 0) return [];
  return [`it changes ${counted(readOnly.length, "file")} that you made read-only: ${named(readOnly, 5)}`];
}

function bypassNotes({ bypassed: { signature, hooks } }: LandingShown): string[] {
  return [
    ...(signature ? ["its commits are not signed, though you have commit.gpgsign on"] : []),
    ...(hooks.length > 0 ? [`your hooks did not run on its commits: ${named(hooks, 4)}`] : []),
  ];
}

function noteLines(words: string, { columns }: Display): StyledLine[] {
  const rows = wrapped(words, { width: Math.max(1, columns - 4), lines: 4 });
  return rows.map((row, at): StyledLine => (at === 0 ? ["  ", ["yellow", "!"], ` ${row}`] : ["    ", row]));
}
