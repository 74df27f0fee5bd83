/**
 * A model's reply → the files it speaks of, all of them or none: the way of `cox apply` and of the MCP tool, which differ
 * only in how a person is told and asked.
 *
 * Everything up to the last step only looks: a reply that is refused, or not confirmed, leaves no trace at all.
 */
import { aboutReply } from "../changeset/about.ts";
import type { Changesets } from "../changeset/changesets.ts";
import { Peek } from "../changeset/peek.ts";
import { readReply } from "../reply/read.ts";
import type { Operation, Reply } from "../reply/reply.ts";
import type { Problem } from "../std/problem.ts";
import type { Ended, Ending } from "../view/ended.ts";
import type { Files } from "../world/files.ts";
import { type Considered, considerReply, type ReplyRules } from "./consider-reply.ts";

export interface Applying {
  readonly files: Files;
  readonly root: string;
  readonly rules: ReplyRules;
  readonly isDryRun: boolean;
  /** Take only the fenced block with this tag. */
  readonly fence?: string;
  /** The name of the changeset; the same one is never applied twice. */
  readonly id?: string;
  readonly signal: AbortSignal;
  open(): Promise<Changesets>;
  /** Hears what is going to happen before anybody is asked. */
  onPlan(considered: Considered): void;
  onProgress(done: number, total: number, what: string): void;
  /** Called only when something must be confirmed. */
  confirm(considered: Considered): Promise<Confirmed>;
}

export type Confirmed =
  | { readonly is: "given" }
  | { readonly is: "denied"; readonly problem: Problem }
  | { readonly is: "nobody-there" };

export async function applyReply(bytes: Uint8Array, applying: Applying): Promise<Ended> {
  const { fence } = applying;
  const { reply, sound, problems, warnings } = readReply(bytes, fence === undefined ? {} : { fence });
  if (reply) return carryOut(applying, reply, warnings);
  const further = sound && sound.length > 0 ? furtherProblems(applying, sound) : [];
  return { ending: { name: "refused", problems: [...problems, ...further] }, operations: [], warnings };
}

/** The reply goes back anyhow: it should go back once, with everything that is wrong. */
function furtherProblems(
  { files, root, rules }: Applying,
  operations: readonly Operation[],
): readonly Problem[] {
  const peek = Peek.open(files, root);
  try {
    return considerReply({ operations }, peek, rules).problems;
  } finally {
    peek.close();
  }
}

async function carryOut(applying: Applying, reply: Reply, warnings: readonly Problem[]): Promise<Ended> {
  const { files, root, rules, isDryRun, id } = applying;
  if (!isDryRun) await finishLeftovers(applying);
  const peek = Peek.open(files, root);
  try {
    if (id !== undefined && isKnown(peek, id)) {
      return { ending: { name: "duplicate", id }, operations: [], warnings };
    }
    const considered = considerReply(reply, peek, rules);
    const ending = await decide(applying, reply, considered);
    return { ending, operations: considered.operations, warnings: [...warnings, ...considered.warnings] };
  } finally {
    peek.close();
  }
}

/** What an earlier process left half done comes first: the reply is then held against a tree that is whole. */
async function finishLeftovers({ files, root, open }: Applying): Promise<void> {
  const peek = Peek.open(files, root);
  const unfinished = peek.unfinished();
  peek.close();
  if (unfinished.length > 0) (await open()).close();
}

function isKnown(peek: Peek, wanted: string): boolean {
  return peek.history().some(({ id, state }) => id === wanted && (state === "applied" || state === "undone"));
}

async function decide(applying: Applying, reply: Reply, considered: Considered): Promise<Ending> {
  const { problems, confirmations } = considered;
  if (problems.length > 0) return { name: "refused", problems };
  applying.onPlan(considered);
  if (applying.isDryRun) return { name: "planned", confirmations };
  if (confirmations.length > 0) {
    const confirmed = await applying.confirm(considered);
    if (confirmed.is === "nobody-there") return { name: "waiting", problems: confirmations };
    if (confirmed.is === "denied") return { name: "refused", problems: [confirmed.problem] };
  }
  return write(applying, reply, considered);
}

async function write(applying: Applying, reply: Reply, { compiled }: Considered): Promise<Ending> {
  const { signal, id, onProgress } = applying;
  const changesets = await applying.open();
  try {
    const outcome = await changesets.apply(
      {
        id: id ?? changesets.newId(),
        changes: compiled.changes,
        contents: compiled.contents,
        about: aboutReply(compiled, reply.summary === undefined ? {} : { summary: reply.summary }),
      },
      { signal, onProgress },
    );
    if (outcome.outcome === "refused") return { name: "refused", problems: outcome.problems };
    if (outcome.outcome === "duplicate") return { name: "duplicate", id: outcome.id };
    return { name: "applied", id: outcome.id, files: outcome.files, interrupted: signal.aborted };
  } finally {
    changesets.close();
  }
}
