/** Compiles the operations of a reply and judges their changes by the policy: the one way from words to a verdict. */
import type { Operation } from "../reply/reply.ts";
import type { Problem } from "../std/problem.ts";
import { type CompileContext, type Compiled, compile } from "./compile.ts";
import { needsEditor } from "./needs-editor.ts";
import { type Confirmation, judgeChanges, type PolicyRules } from "./policy/policy.ts";

export interface JudgedOperations {
  readonly compiled: Compiled;
  /** Any one of these makes the reply refused. */
  readonly problems: readonly Problem[];
  readonly confirmations: readonly Confirmation[];
  readonly warnings: readonly Problem[];
  /** The bytes of a changed file, before and after. */
  before(path: string): Uint8Array | undefined;
  after(path: string): Uint8Array | undefined;
}

export function judgeOperations(
  operations: readonly Operation[],
  { rules, ...context }: CompileContext & { readonly rules: PolicyRules },
): JudgedOperations {
  const { disk } = context;
  const compiled = compile(operations, context);
  const { before, after } = bytesOf(compiled);
  const judgement = judgeChanges(compiled.changes, {
    contents: compiled.contents,
    before,
    names: (folder) => disk.names(folder),
    isRepository: (folder) => disk.isRepository(folder),
    rules,
  });
  return {
    compiled,
    before,
    after,
    problems: [...compiled.problems, ...compiled.needsEditor.map(needsEditor), ...judgement.refused],
    confirmations: judgement.confirmations,
    warnings: [...compiled.warnings, ...judgement.warnings],
  };
}

/** The first operation on a path has the current content; the last one has the final content. */
function bytesOf({ steps }: Compiled): Pick<JudgedOperations, "before" | "after"> {
  const before = new Map<string, Uint8Array | undefined>();
  const after = new Map<string, Uint8Array | undefined>();
  for (const step of steps) {
    if (!before.has(step.path)) before.set(step.path, step.before);
    after.set(step.path, step.after);
  }
  return { before: (path) => before.get(path), after: (path) => after.get(path) };
}
