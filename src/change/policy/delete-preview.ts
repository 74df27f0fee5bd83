/** The first lines of a file about to be deleted, made fit for a log: bounded, printable, secrets masked. */
import { printableLine } from "../../std/printable.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { SecretMask } from "./mask-secrets.ts";

const previewLinesMax = 20;
const widthMax = 160;
/** Anything beyond this is not among the first lines, or those lines are too long to read. */
const bytesMax = 64 * 1024;

export interface DeletePreview {
  readonly preview?: readonly string[];
  /** Total lines in the file. */
  readonly lines?: number;
  readonly is_binary?: true;
}

export function deletePreview(bytes: Uint8Array): DeletePreview {
  if (bytes.includes(0)) return { is_binary: true };
  const mask = new SecretMask();
  const head = decodeUtf8(bytes.subarray(0, bytesMax)).split("\n", previewLinesMax);
  if (head.at(-1) === "") head.pop();
  const preview = head.map((line) => printableLine(mask.masked(line), widthMax));
  return { preview, lines: countLines(bytes) };
}

function countLines(bytes: Uint8Array): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== newline ? 1 : 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

const newline = 10;
