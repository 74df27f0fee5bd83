/** A landing in words: which branch moves how, and which files of the checkout change. */
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import { type Line, type Look, lineText } from "./line.ts";
import { named, shortSha } from "./task-words.ts";
import { wrapped } from "./width.ts";

export interface LandingShown {
  readonly run: string;
  /** Nothing when the HEAD is detached. */
  readonly branch: string | null;
  readonly from: string;
  readonly tip: string;
  readonly how: "fast-forward" | "merge";
  readonly files: readonly { readonly path: string; readonly change: "added" | "changed" | "deleted" }[];
  /** What it rests on; where that is nothing, these commands are run first. */
  readonly proof: "passed" | "no-commands" | "none";
  readonly commands: readonly string[];
  /** What the user's git would have done with such commits, and nobody did. */
  readonly bypassed: { readonly signature: boolean; readonly hooks: readonly string[] };
  readonly done: number;
  readonly total: number;
}

const rowsMax = 20;
const signs = { added: ["green", "+"], changed: ["yellow", "~"], deleted: ["red", "-"] } as const;

export function landingText(landing: LandingShown, look: Look): string {
  const { run, branch, from, tip, how, files, done, total } = landing;
  const onto = branch === null ? `your HEAD (detached at ${shortSha(from)})` : oneLine(branch, 80);
  const move = how === "merge" ? "by a merge commit" : `${shortSha(from)} → ${shortSha(tip)}, fast-forward`;
  // Each on a line of its own: what a person must know before a yes is not what a narrow terminal cuts off.
  const notes = [
    ...(done < total ? [`the run is not over: ${done} of ${counted(total, "task")}`] : []),
    ...proofNotes(landing),
    ...bypassNotes(landing),
  ].flatMap((words) => noteLines(words, look));
  const rows = files.slice(0, rowsMax).map(({ path, change }): Line => {
    const [style, sign] = signs[change];
    return ["  ", [style, sign], ` ${oneLine(path, 200)}`];
  });
  const left = files.length - rows.length;
  const lines: Line[] = [
    [["bold", `cox/${oneLine(run, 60)} onto ${onto}`], ` · ${move} · ${counted(files.length, "file")}`],
    ...notes,
    ...rows,
    ...(left > 0 ? [[["dim", `  … ${counted(left, "more file")}`]] satisfies Line] : []),
  ];
  return `${lines.map((line) => lineText(line, look)).join("\n")}\n`;
}

function proofNotes({ how, proof, commands }: LandingShown): string[] {
  if (proof === "none" && commands.length > 0)
    return [`nobody saw this pass yet; run on it first: ${named(commands, 5)}`];
  if (proof === "none") return ["nobody saw this pass, and nothing is run on it"];
  const isUnseen = proof === "no-commands" && how === "merge";
  return isUnseen ? ["nobody saw this pass: the plan has no verify command"] : [];
}

function bypassNotes({ bypassed: { signature, hooks } }: LandingShown): string[] {
  return [
    ...(signature ? ["its commits are not signed, though you have commit.gpgsign on"] : []),
    ...(hooks.length > 0 ? [`your hooks did not run on its commits: ${named(hooks, 4)}`] : []),
  ];
}

function noteLines(words: string, { columns }: Look): Line[] {
  const rows = wrapped(words, { width: Math.max(1, columns - 4), lines: 4 });
  return rows.map((row, at): Line => (at === 0 ? ["  ", ["yellow", "!"], ` ${row}`] : ["    ", row]));
}
