/** Finds the run that a command is about: the one named, by any unique prefix of its name, or the newest. */

import { closestName } from "../../std/closest-name.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Files } from "../../world/files/files.ts";
import { RunFolder } from "../folder/run-folder.ts";

export type Chosen = { readonly folder: RunFolder } | { readonly problem: Problem };

export function chooseRun(files: Files, root: string, wanted?: string): Chosen {
  const runs = RunFolder.list(files, root);
  const fitting = wanted === undefined ? runs.slice(0, 1) : runs.filter((run) => run.startsWith(wanted));
  const exact = runs.find((run) => run === wanted);
  const [only, other] = exact === undefined ? fitting : [exact];
  if (only === undefined) return { problem: wanted === undefined ? noRun : unknown(wanted, runs) };
  if (other !== undefined && wanted !== undefined) return { problem: ambiguous(wanted, fitting) };
  const folder = RunFolder.open(files, root, only);
  return folder ? { folder } : { problem: noRun };
}

const noRun: Problem = {
  code: "NO_RUN",
  message: "no run was started in this repository",
  hint: "Start one: cox run plan.md – or try it out: cox demo",
};

function unknown(wanted: string, runs: readonly string[]): Problem {
  const near = closestName(wanted, runs);
  const known = runs.slice(0, 5).map((run) => oneLine(run, 60));
  return {
    code: "NO_RUN",
    message: `there is no run ${quote(wanted, 60)} here`,
    hint: near ? `Did you mean ${near}?` : `There are: ${known.join(", ") || "none"}`,
  };
}

function ambiguous(wanted: string, runs: readonly string[]): Problem {
  return {
    code: "RUN_AMBIGUOUS",
    message: `${quote(wanted, 60)} matches several runs:  ${runs.slice(0, 5).join(", ")}`,
    hint: "Write more of its name.",
  };
}
