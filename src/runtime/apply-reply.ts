/**
 * Applies a model's reply to files, all or none. Used by `cox apply` and the MCP tool, which differ only in how they
 * inform and ask a person.
 *
 * Every step but the last only reads, so a refused reply leaves no trace. An unconfirmed one leaves a trace only in
 * progress.md, and only if it asked for deletions.
 */
import { requestedDeletes } from "../change/policy/requested-deletes.ts";
import { aboutReply } from "../changeset/about.ts";
import type { Changesets } from "../changeset/changesets.ts";
import { Peek } from "../changeset/peek.ts";
import type { About } from "../changeset/proposal.ts";
import { putToUser } from "../reply/note/put-to-user.ts";
import { readReply } from "../reply/read.ts";
import type { Operation, Reply } from "../reply/reply.ts";
import type { Problem } from "../std/problem.ts";
import type { ApplyEnd, ApplyReport } from "../view/end/ended.ts";
import type { Files } from "../world/files/files.ts";
import { type Considered, considerReply, type ReplyRules } from "./acts/consider-reply.ts";

export interface ApplyOptions {
  readonly files: Files;
  readonly root: string;
  readonly rules: ReplyRules;
  readonly isDryRun: boolean;
  /** Use only the fenced block with this tag. */
  readonly fence?: string;
  /** The changeset's id; the same one is never applied twice. */
  readonly id?: string;
  readonly signal: AbortSignal;
  open(): Promise<Changesets>;
  /** Called with what will happen, before anybody is asked. */
  onPlan(considered: Considered): void;
  onProgress(done: number, total: number, what: string): void;
  /** Called only if something must be confirmed. */
  confirm(considered: Considered): Promise<Confirmed>;
}

export type Confirmed =
  | { readonly is: "given" }
  | { readonly is: "denied"; readonly problem: Problem }
  | { readonly is: "nobody-there" };

export async function applyReply(given: Uint8Array | string, applying: ApplyOptions): Promise<ApplyReport> {
  const { fence } = applying;
  const { reply, sound, problems, warnings } = readReply(given, fence === undefined ? {} : { fence });
  if (reply) return carryOut(applying, reply, [...warnings, ...leftOpen(reply)]);
  const further = sound && sound.length > 0 ? furtherProblems(applying, sound) : [];
  return { ending: { name: "refused", problems: [...problems, ...further] }, operations: [], warnings };
}

/** Nothing is held up for this here, but the person who applies the reply must know about it. */
function leftOpen({ notes, delegations }: Reply): Problem[] {
  const left = putToUser({ notes, delegations });
  if (!left) return [];
  const [message = ""] = left.text.split("\n");
  const hint =
    "Decide it yourself: only operations are carried out; nothing else in a reply is put to a person.";
  const all = left.keys.length > 1 ? " The reply has all of it." : "";
  return [
    {
      code: "REPLY_LEFT_OPEN",
      message: `the reply leaves something open: ${message}`,
      hint: `${hint}${all}`,
    },
  ];
}

/** The reply is sent back anyway; it should be sent back once, with everything that is wrong. */
function furtherProblems(
  { files, root, rules }: ApplyOptions,
  operations: readonly Operation[],
): readonly Problem[] {
  const peek = Peek.open(files, root);
  try {
    return considerReply({ operations }, peek, rules).problems;
  } finally {
    peek.close();
  }
}

async function carryOut(
  applying: ApplyOptions,
  reply: Reply,
  warnings: readonly Problem[],
): Promise<ApplyReport> {
  const { files, root, rules, isDryRun, id } = applying;
  for (;;) {
    if (!isDryRun) await finishLeftovers(applying);
    const peek = Peek.open(files, root);
    try {
      if (id !== undefined && isKnown(peek, id))
        return { ending: { name: "duplicate", id }, operations: [], warnings };
      const considered = considerReply(reply, peek, rules);
      // Refused because of what another changeset did while we looked: perhaps the same one, in another process.
      if (considered.problems.length > 0 && !isDryRun && hasMoved(applying, peek)) continue;
      const ending = await decide(applying, reply, considered);
      return { ending, operations: considered.operations, warnings: [...warnings, ...considered.warnings] };
    } finally {
      peek.close();
    }
  }
}

/** Whether a changeset has started or ended since. */
function hasMoved({ files, root }: ApplyOptions, { stamp }: Peek): boolean {
  const now = Peek.open(files, root);
  const isSame = now.stamp === stamp;
  now.close();
  return !isSame;
}

/** First finishes what an earlier process left half done, so that the reply is checked against a complete tree. */
async function finishLeftovers({ files, root, open }: ApplyOptions): Promise<void> {
  const peek = Peek.open(files, root);
  const unfinished = peek.unfinished();
  peek.close();
  if (unfinished.length > 0) (await open()).close();
}

function isKnown(peek: Peek, wanted: string): boolean {
  return peek.history().some(({ id, state }) => id === wanted && (state === "applied" || state === "undone"));
}

async function decide(applying: ApplyOptions, reply: Reply, considered: Considered): Promise<ApplyEnd> {
  const { problems, confirmations } = considered;
  if (problems.length > 0) return { name: "refused", problems };
  applying.onPlan(considered);
  if (applying.isDryRun) return { name: "planned", confirmations };
  if (confirmations.length > 0) {
    const confirmed = await applying.confirm(considered);
    if (confirmed.is === "nobody-there") {
      await noteDeletes(applying, reply, considered, "there is no terminal to ask in, nothing was deleted");
      return { name: "waiting", problems: confirmations };
    }
    if (confirmed.is === "denied") {
      await noteDeletes(applying, reply, considered, "no, by a person");
      return { name: "refused", problems: [confirmed.problem] };
    }
  }
  return write(applying, reply, considered);
}

/** What would be deleted, and who decided: the policy, or the person who was asked. */
function deletesIn(
  { compiled, confirmations, before }: Considered,
  { confirmDeletes }: ReplyRules,
  person: string,
): Pick<About, "deletes"> {
  const { files } = requestedDeletes(compiled.changes, before);
  if (files.length === 0) return {};
  const asked = new Set(confirmations.flatMap(({ code, path }) => (code === "CONFIRM_DELETE" ? [path] : [])));
  const deletes = files.map(({ sha256: _, ...file }) => {
    const answer = asked.has(file.path) ? person : "yes, by policy";
    return { ...file, answer: `${answer} (confirm-deletes: ${confirmDeletes})` };
  });
  return { deletes };
}

/** Adds to progress.md, which is only a view: if it cannot be written, the result is the same. */
async function noteDeletes(
  applying: ApplyOptions,
  { summary }: Reply,
  considered: Considered,
  person: string,
): Promise<void> {
  const about = {
    ...(summary !== undefined && { summary }),
    ...deletesIn(considered, applying.rules, person),
  };
  if (!about.deletes) return;
  try {
    const changesets = await applying.open();
    try {
      changesets.noteDeletes(about);
    } finally {
      changesets.close();
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

async function write(applying: ApplyOptions, reply: Reply, considered: Considered): Promise<ApplyEnd> {
  const { compiled } = considered;
  const { signal, id, onProgress } = applying;
  const changesets = await applying.open();
  try {
    const outcome = await changesets.apply(
      {
        id: id ?? changesets.newId(),
        changes: compiled.changes,
        contents: compiled.contents,
        about: aboutReply(compiled, {
          ...(reply.summary !== undefined && { summary: reply.summary }),
          ...deletesIn(considered, applying.rules, "yes, by a person"),
        }),
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
