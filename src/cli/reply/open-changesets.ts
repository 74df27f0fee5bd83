/** Opens the changesets of a root for a command, and reports what a person should know about that. */
import { Changesets, type Recovered } from "../../changeset/changesets.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { CommandContext } from "../command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Silence for longer than this looks like a hang. */
const patienceMs = 1000;

export async function openChangesets(door: CommandContext, root: string): Promise<Changesets> {
  const { files, clock, chance, terminal, signal } = door;
  const impatience = setTimeout(() => {
    if (terminal.isWatched) terminal.notice("Another cox is working on this folder; waiting for it.\n");
  }, patienceMs);
  try {
    const changesets = await Changesets.open({ files, root, clock, chance, signal });
    for (const one of changesets.recovered) tellRecovered(one, terminal);
    return changesets;
  } finally {
    clearTimeout(impatience);
  }
}

function tellRecovered(recovered: Recovered, { notice, noticePaint }: Terminal): void {
  const { id, outcome, files, reason, left } = recovered;
  const why = reason === undefined ? "" : `: ${oneLine(reason)}`;
  const now = outcome === "finished" ? "finished" : "undone";
  const text = `changeset ${id} was left half-finished; it is now ${now} (${counted(files, "file")})${why}`;
  const kept = left.map((path) => oneLine(path)).join(", ");
  const alone = kept === "" ? "" : `; left alone because somebody changed them meanwhile:  ${kept}`;
  notice(`${noticePaint("yellow", "↻")} ${text}${alone}\n`);
}
