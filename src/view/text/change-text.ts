/** Everything that a change of the documents added and removed, for people. */
import { oneLine, printableLines } from "../../std/printable.ts";
import { type DeedRow, deedLines } from "../log/deed-lines.ts";
import type { Paint } from "./paint.ts";

export interface ChangedDocument {
  readonly path: string;
  /** Texts in document order, each removed, added, or replaced. */
  readonly pieces: readonly { readonly out: string; readonly into: string }[];
  /** False in records of older versions, which did not keep what they removed. */
  readonly isKept: boolean;
}

/** `cox log --documents N --json` has all of it. */
const limits = { lines: 5_000, width: 2_000 };

export function changeText(row: DeedRow, documents: readonly ChangedDocument[], paint: Paint): string {
  const parts = documents.map(({ path, pieces, isKept }) => [
    paint("bold", oneLine(path, 300)),
    ...(isKept ? [] : [paint("dim", "what it removed was not kept by the version that recorded it")]),
    ...pieces.flatMap(({ out, into }) => [
      ...printableLines(out, limits).map((line) => paint("red", `- ${line}`.trimEnd())),
      ...printableLines(into, limits).map((line) => paint("green", `+ ${line}`.trimEnd())),
    ]),
  ]);
  return `${deedLines([row], paint)}${parts.map((lines) => `\n${lines.join("\n")}\n`).join("")}`;
}
