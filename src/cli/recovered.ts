/** Says what an earlier process left half done and how it ended now. */
import type { Recovered } from "../changeset/changesets.ts";
import { counted, oneLine } from "../view/printable.ts";
import type { Terminal } from "./terminal.ts";

export function tellRecovered(recovered: readonly Recovered[], { notice, noticePaint }: Terminal): void {
  for (const { id, outcome, files, left } of recovered) {
    const kept =
      left.length > 0
        ? `; changed by somebody meanwhile and left alone: ${left.map((path) => oneLine(path)).join(", ")}`
        : "";
    const text = `changeset ${id} was left half done; it is now ${outcome} (${counted(files, "file")})${kept}`;
    notice(`${noticePaint("yellow", "↻")} ${text}\n`);
  }
}
