/**
 * What an agent hands in through tools in the course of its turn, judged at once so that it can mend its mistakes while it
 * still remembers what it did; and put together into the text of a reply, which is read and judged like any other.
 *
 * Nothing is kept of a call that has a problem. What the agent tried to change itself counts where it names no operations,
 * neither here nor in its own words: whoever names some says all that it wants.
 */
import { counted, grouped } from "../std/counted.ts";
import type { Problem } from "../std/problem.ts";
import { extract } from "./extract.ts";
import { hasTag } from "./fences.ts";
import { parseJson } from "./json.ts";
import { openReply } from "./open.ts";
import { readReply } from "./read.ts";
import { readAudit } from "./read-audit.ts";
import type { Operation } from "./reply.ts";
import { sameJson } from "./same.ts";
import { jsonLimits } from "./scan.ts";
import { OPERATIONS_MAX } from "./schema.ts";
import { soughtEnvelope } from "./sought-envelope.ts";
import { soughtOperations } from "./sought-operations.ts";
import { type Verdict, validate } from "./validate.ts";
import type { AuditVerdict } from "./validate-audit.ts";

export interface ProposalRules {
  readonly role: string;
  /** The slug of the task: a signal about another one is refused. */
  readonly task: string;
  /** What the agent changes at its desk is captured, so that a reply needs no operations. */
  readonly desk: boolean;
  /** What else speaks against operations: whether they fit what is at the desk. Each is named by its place among them. */
  judge?(operations: readonly Operation[]): readonly Problem[];
}

export class Proposals {
  readonly #rules: ProposalRules;
  #operations: readonly unknown[] = [];
  /** By path, and not judged before the reply is. */
  readonly #tried = new Map<string, readonly unknown[]>();
  /** They came with what was submitted: a later submission may bring others. */
  #areSubmitted = false;
  #submitted: Readonly<Record<string, unknown>> | undefined;

  constructor(rules: ProposalRules) {
    this.#rules = rules;
  }

  /** How many operations the reply would have. */
  get count(): number {
    return this.#counting.length;
  }

  /** How many of them were proposed, and not only tried. */
  get proposedCount(): number {
    return this.#operations.length;
  }

  /** What it tried to change itself. */
  get triedPaths(): readonly string[] {
    return [...this.#tried.keys()];
  }

  get isSubmitted(): boolean {
    return this.#submitted !== undefined;
  }

  /** They go behind those of earlier calls, or stand in their place. */
  propose(operations: unknown, { replace = false }: { replace?: boolean } = {}): readonly Problem[] {
    if (this.#isAudit) return [changesNothing(this.#rules.role)];
    const problems = formProblems(operations);
    if (problems.length > 0) return problems;
    const { length: count } = operations as readonly unknown[];
    const all = [...(replace ? [] : this.#operations), ...(operations as readonly unknown[])];
    if (all.length > OPERATIONS_MAX) return [tooMany(all.length)];
    const { length } = JSON.stringify(all);
    if (length > lengthMax) return [tooLong(length)];
    const misfits = this.#judge(validate({ file_operations: all }));
    if (misfits.length > 0) return misfits.map((problem) => within(problem, all.length - count));
    this.#operations = all;
    this.#areSubmitted = false;
    return [];
  }

  /** What it tried to change itself at a path, in place of what was noted of it before. */
  noteTried(path: string, operations: readonly unknown[]): void {
    this.#tried.delete(path);
    if (operations.length > 0 && !this.#isAudit) this.#tried.set(path, operations);
  }

  /** What surrounds the operations: a summary, notes, the signal. An auditor's is its judgement. A later one counts. */
  submit(reply: unknown): readonly Problem[] {
    if (isDeeper(reply, jsonLimits.depth)) return [tooDeep];
    const together = this.#isAudit ? { value: reply } : this.#withProposed(reply);
    if ("problem" in together) return [together.problem];
    const text = tagged(judgingTag, together.value);
    if (text.length > lengthMax) return [tooLong(text.length)];
    const { task, desk } = this.#rules;
    const verdict = this.#isAudit
      ? readAudit(text, { fence: judgingTag, task })
      : readReply(text, { fence: judgingTag, task, desk });
    const problems = [...verdict.problems, ...this.#judge(verdict)];
    if (problems.length > 0) return problems;
    const { file_operations: _all, ...envelope } = together.value as Record<string, unknown>;
    const own = ownOperations(reply);
    if (own !== undefined) this.#keepOwn(own);
    this.#submitted = envelope;
    return [];
  }

  /**
   * The text of the reply; nothing where it was not handed in through tools. `words` is what the agent said last: it counts
   * where operations were proposed and nothing was submitted, and a block in it with the tag is as good as a submission.
   */
  replyText(fence: string, words = ""): string | undefined {
    if (this.#submitted === undefined && this.count > 0) {
      const block = blockIn(words, fence);
      if (block !== undefined && this.submit(block.value).length > 0) return words;
      if (this.proposedCount === 0 && carriesOperations(words, fence)) return words;
    }
    if (this.#submitted !== undefined) return tagged(fence, this.#together(this.#submitted));
    if (this.count === 0) return undefined;
    const block = tagged(fence, this.#together({}));
    return words.trim() === "" ? block : `${words.trimEnd()}\n\n${block}`;
  }

  #judge(verdict: Verdict | AuditVerdict): readonly Problem[] {
    if (!("reply" in verdict) || verdict.reply === undefined) return [];
    return this.#rules.judge?.(verdict.reply.operations) ?? [];
  }

  get #isAudit(): boolean {
    return this.#rules.role !== "developer";
  }

  #withProposed(reply: unknown): { readonly value: unknown } | { readonly problem: Problem } {
    if (typeof reply !== "object" || reply === null || Array.isArray(reply)) return { value: reply };
    const { file_operations: own } = reply as { file_operations?: unknown };
    const isSilent = own === undefined || (Array.isArray(own) && own.length === 0);
    if (isSilent) return { value: this.#together(reply) };
    const isTheirs = this.proposedCount === 0 || this.#areSubmitted || sameJson(own, this.#operations);
    return isTheirs ? { value: reply } : { problem: proposedAlready(this.proposedCount) };
  }

  #keepOwn(operations: readonly unknown[]): void {
    if (!sameJson(operations, this.#operations)) this.#areSubmitted = true;
    this.#operations = operations;
  }

  #together(envelope: object): object {
    return this.count === 0 ? envelope : { ...envelope, file_operations: this.#counting };
  }

  get #counting(): readonly unknown[] {
    return this.proposedCount > 0 ? this.#operations : [...this.#tried.values()].flat();
  }
}

function ownOperations(reply: unknown): readonly unknown[] | undefined {
  const { file_operations: own } = Object(reply) as { file_operations?: unknown };
  return Array.isArray(own) && own.length > 0 ? own : undefined;
}

/** Also where they are broken: what is wrong with them is told then. */
function carriesOperations(words: string, fence: string): boolean {
  const opened = openReply(words, fence);
  return "source" in opened && extract(opened.source, soughtOperations).isMeant;
}

/** Counted among the operations of this call, where it is one of them. */
function within({ index, ...problem }: Problem, before: number): Problem {
  return index === undefined || index < before ? problem : { ...problem, index: index - before };
}

/** Only for judging; the turn's own tag is put in at its end. */
const judgingTag = "cox-judged";

/** What is kept of a reply. In UTF-16 units, of which each can be three bytes. */
const lengthMax = 2 * 1024 * 1024;

/** What a tool is given was parsed by somebody who is less strict than we are with a reply. */
function formProblems(operations: unknown): readonly Problem[] {
  if (isDeeper(operations, jsonLimits.depth)) return [tooDeep];
  const parsed = parseJson(JSON.stringify({ file_operations: operations }));
  return "problems" in parsed ? parsed.problems : validate(parsed.value).problems;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

const tooDeep: Problem = {
  code: "JSON_TOO_DEEP",
  message: `the JSON is nested more than ${jsonLimits.depth} levels deep`,
  hint: "A reply needs five levels: leave out what is nested deeper.",
};

/** In JSON no line begins with a fence, so three backticks hold whatever it says. */
function tagged(tag: string, value: unknown): string {
  return `\`\`\`${tag}\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}

function blockIn(words: string, tag: string): { readonly value: unknown } | undefined {
  const opened = openReply(words, tag);
  if (!("source" in opened) || !opened.source.fences.some(({ info }) => hasTag(info, tag))) return undefined;
  const extraction = extract(opened.source, soughtEnvelope);
  return "value" in extraction ? extraction : undefined;
}

function changesNothing(role: string): Problem {
  return {
    code: "PROPOSAL_ROLE",
    message: `operations were proposed by an agent whose role is ${role}: it judges and changes nothing`,
    hint: "Say what should be changed as a finding of your judgement, and submit that.",
  };
}

function proposedAlready(count: number): Problem {
  return {
    code: "PROPOSAL_TWICE",
    message: `the reply has operations of its own, and ${counted(count, "other operation")} ${count === 1 ? "was" : "were"} proposed before: nobody could know which count`,
    hint: "Leave file_operations out to submit what was proposed. To change that, propose the whole list again with replace: true, then submit.",
    field: "file_operations",
  };
}

function tooMany(count: number): Problem {
  return {
    code: "LIMIT_OPS",
    message: `${grouped(count)} operations would be proposed; the limit is ${grouped(OPERATIONS_MAX)}`,
    hint: "Submit what is there, and say TASK INCOMPLETE with what is left.",
    field: "file_operations",
  };
}

function tooLong(length: number): Problem {
  return {
    code: "LIMIT_REPLY",
    message: `the reply would have ${counted(length, "character")}; the limit is ${grouped(lengthMax)}`,
    hint: "Use edits instead of whole files, or submit a part and say TASK INCOMPLETE with what is left.",
  };
}
