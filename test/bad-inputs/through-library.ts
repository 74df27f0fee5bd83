/** Executes a reply as a program that uses the library would. */
import {
  Changesets,
  compile,
  judgeChanges,
  nodeChance,
  nodeClock,
  openFiles,
  Peek,
  readReply,
  sha256,
} from "../../src/index.ts";
import type { RowOptions } from "./row.ts";

export interface Answer {
  readonly outcome: "applied" | "refused" | "waiting";
  readonly codes: readonly string[];
  readonly warnings: readonly string[];
}

export async function throughLibrary(
  bytes: Uint8Array,
  root: string,
  options: RowOptions = {},
): Promise<Answer> {
  const { writes, fence } = options;
  const read = readReply(bytes, fence === undefined ? {} : { fence });
  if (!read.reply) return answer("refused", read.problems, read.warnings);

  const peek = Peek.open(openFiles(), root);
  const { disk } = peek;
  const compiled = compile(read.reply.operations, { root: peek.root, disk, hash: sha256 });
  const judgement = judgeChanges(compiled.changes, {
    contents: compiled.contents,
    before: (path) => compiled.steps.find((step) => step.path === path)?.before,
    names: (folder) => disk.names(folder),
    isRepository: (folder) => disk.isRepository(folder),
    rules: { deletes: "ask", ...(writes && { writes }) },
  });
  peek.close();
  const warnings = [...read.warnings, ...compiled.warnings, ...judgement.warnings];
  const needsEditor = compiled.needsEditor.map(() => ({ code: "OPS_NEEDS_EDITOR" }));
  const problems = [...compiled.problems, ...needsEditor, ...judgement.refused];
  if (problems.length > 0) return answer("refused", problems, warnings);
  if (judgement.confirmations.length > 0) return answer("waiting", judgement.confirmations, warnings);

  const changesets = await openChangesets(root);
  try {
    const { changes, contents } = compiled;
    const outcome = await changesets.apply({
      id: changesets.newId(),
      changes,
      contents,
      about: { operations: [] },
    });
    return outcome.outcome === "refused"
      ? answer("refused", outcome.problems, warnings)
      : answer("applied", [], warnings);
  } finally {
    changesets.close();
  }
}

export function openChangesets(root: string): Promise<Changesets> {
  return Changesets.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance });
}

type Coded = { readonly code: string };

function answer(outcome: Answer["outcome"], problems: readonly Coded[], warnings: readonly Coded[]): Answer {
  return { outcome, codes: problems.map(({ code }) => code), warnings: warnings.map(({ code }) => code) };
}
