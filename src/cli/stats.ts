/** `cox stats`: files promised, and files really on disk. */
import { Peek } from "../changeset/peek.ts";
import { counted, grouped } from "../std/counted.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";

export async function stats({ values, files, terminal }: Door): Promise<ExitCode> {
  const peek = Peek.open(files, values.one("root") ?? ".");
  const figures = peek.figures();
  peek.close();
  const { changesets, promised, persisted, takenBack, verificationFailures } = figures;
  // Nothing promised is nothing broken.
  const persistenceRate = promised === 0 ? 1 : persisted / promised;
  if (terminal.json) {
    terminal.print(`${JSON.stringify({ ok: true, ...figures, persistenceRate })}\n`);
    return exit.done;
  }
  const rate = `${(persistenceRate * 100).toFixed(persistenceRate === 1 ? 0 : 2)} %`;
  const rows = [
    ["changesets", `${grouped(changesets)}${takenBack > 0 ? ` (${takenBack} taken back)` : ""}`],
    ["files on disk", `${grouped(persisted)} of ${counted(promised, "file")} promised`],
    ["persistence rate", terminal.paint(persistenceRate === 1 ? "green" : "red", rate)],
    ["verification failures", String(verificationFailures)],
  ];
  terminal.print(rows.map(([name, value]) => `${name?.padEnd(22)}${value}\n`).join(""));
  return exit.done;
}
