/**
 * Collects what an agent hands in through tools during its turn. Each call is judged at once, so that the agent can fix
 * its mistakes while it still remembers what it did. The calls are then combined into the text of a reply, which is
 * read and judged like any other.
 *
 * A call that has a problem is dropped as a whole. What the agent tried to change itself counts only if it names no
 * operations, neither here nor in its own words: an agent that names some has said all that it wants.
 */
import { counted, grouped } from "../std/counted.ts";
import type { Problem } from "../std/problem.ts";
import { type Verdict, validate } from "./check/validate.ts";
import type { AuditVerdict } from "./check/validate-audit.ts";
import { expectedEnvelope } from "./find/expected-envelope.ts";
import { expectedOperations } from "./find/expected-operations.ts";
import { extract } from "./find/extract.ts";
import { hasTag } from "./find/fences.ts";
import { parseJson } from "./find/json.ts";
import { openReply } from "./find/open.ts";
import { sameJson } from "./find/same.ts";
import { jsonLimits } from "./find/scan.ts";
import type { ItemsForUser } from "./note/put-to-user.ts";
import { readReply } from "./read.ts";
import { readAudit } from "./read-audit.ts";
import type { Operation } from "./reply.ts";
import { OPERATIONS_MAX } from "./schema.ts";

export interface ProposalRules {
  readonly role: string;
  /** The slug of the task: a signal about another task is refused. */
  readonly task: string;
  /** The agent's changes at its desk are captured, so a reply needs no operations. */
  readonly desk: boolean;
  /** Operations of an earlier reply are already at the desk, so the reply needs none. */
  readonly isWorkAtDesk?: boolean;
  /** Other objections to the operations, such as not fitting what is at the desk. Each names its operation by index. */
  judge?(operations: readonly Operation[]): readonly Problem[];
}

export class Proposals {
  readonly #rules: ProposalRules;
  #operations: readonly unknown[] = [];
  /** By path; not judged until the reply is. */
  readonly #tried = new Map<string, readonly unknown[]>();
  /** The operations came with a submission, so a later submission may replace them. */
  #areSubmitted = false;
  #submitted: Readonly<Record<string, unknown>> | undefined;
  #left: Pick<ItemsForUser, "notes" | "delegations"> | undefined;

  constructor(rules: ProposalRules) {
    this.#rules = rules;
  }

  /** How many operations the reply would have. */
  get count(): number {
    return this.#counting.length;
  }

  /** How many operations were proposed, not only tried. */
  get proposedCount(): number {
    return this.#operations.length;
  }

  /** The paths that the agent tried to change itself. */
  get triedPaths(): readonly string[] {
    return [...this.#tried.keys()];
  }

  /** What the submission leaves to the user. */
  get left(): Pick<ItemsForUser, "notes" | "delegations"> | undefined {
    return this.#left;
  }

  get isSubmitted(): boolean {
    return this.#submitted !== undefined;
  }

  /** Adds operations to those of earlier calls, or replaces them. */
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

  /** Records what the agent tried to change itself at a path, replacing what was recorded before. */
  noteTried(path: string, operations: readonly unknown[]): void {
    this.#tried.delete(path);
    if (operations.length > 0 && !this.#isAudit) this.#tried.set(path, operations);
  }

  /**
   * Accepts everything around the operations: a summary, notes, the signal. For an auditor this is its judgement. A
   * later submission replaces an earlier one.
   */
  submit(reply: unknown): readonly Problem[] {
    if (isDeeper(reply, jsonLimits.depth)) return [tooDeep];
    const together = this.#isAudit ? { value: reply } : this.#withProposed(reply);
    if ("problem" in together) return [together.problem];
    const text = tagged(judgingTag, together.value);
    if (text.length > lengthMax) return [tooLong(text.length)];
    const { task, desk, isWorkAtDesk = false } = this.#rules;
    const verdict = this.#isAudit
      ? readAudit(text, { fence: judgingTag, task })
      : readReply(text, { fence: judgingTag, task, desk, isWorkAtDesk });
    const problems = [...verdict.problems, ...this.#judge(verdict)];
    if (problems.length > 0) return problems;
    const { file_operations: _all, ...envelope } = together.value as Record<string, unknown>;
    const own = ownOperations(reply);
    if (own !== undefined) this.#keepOwn(own);
    this.#submitted = envelope;
    this.#left = "audit" in verdict ? verdict.audit : "reply" in verdict ? verdict.reply : undefined;
    return [];
  }

  /**
   * The text of the reply; undefined if it was not handed in through tools. `words` is the agent's last message: it
   * counts if operations were proposed and nothing was submitted, and a tagged block in it is as good as a submission.
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

/** Also true if the operations are broken: reading the reply then reports what is wrong with them. */
function carriesOperations(words: string, fence: string): boolean {
  const opened = openReply(words, fence);
  return "source" in opened && extract(opened.source, expectedOperations).isMeant;
}

/** Makes the index relative to the operations of this call, if the problem is about one of them. */
function within({ index, ...problem }: Problem, before: number): Problem {
  return index === undefined || index < before ? problem : { ...problem, index: index - before };
}

/** Only for judging; the turn's own tag is used in the final text. */
const judgingTag = "cox-judged";

/** How much of a reply is kept, in UTF-16 units, each of which can take three bytes. */
const lengthMax = 2 * 1024 * 1024;

/** A tool's input was parsed by a parser that is less strict than ours, so it is checked again. */
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

/** No line of JSON begins with a fence, so three backticks are enough whatever the value holds. */
function tagged(tag: string, value: unknown): string {
  return `\`\`\`${tag}\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}

function blockIn(words: string, tag: string): { readonly value: unknown } | undefined {
  const opened = openReply(words, tag);
  if (!("source" in opened) || !opened.source.fences.some(({ info }) => hasTag(info, tag))) return undefined;
  const extraction = extract(opened.source, expectedEnvelope);
  return "value" in extraction ? extraction : undefined;
}

function changesNothing(role: string): Problem {
  return {
    code: "PROPOSAL_ROLE",
    message: `operations were proposed by an agent whose role is ${role}: it judges and changes nothing`,
    hint: "Report what should be changed as a finding in your judgement, and submit that.",
  };
}

function proposedAlready(count: number): Problem {
  return {
    code: "PROPOSAL_TWICE",
    message: `the reply has operations of its own, and ${counted(count, "other operation")} ${count === 1 ? "was" : "were"} proposed before, so it is not clear which of them count`,
    hint: "Leave file_operations out to submit what was proposed. To change that, propose the whole list again with replace: true, then submit.",
    field: "file_operations",
  };
}

function tooMany(count: number): Problem {
  return {
    code: "LIMIT_OPS",
    message: `${grouped(count)} operations would be proposed; the limit is ${grouped(OPERATIONS_MAX)}`,
    hint: "Submit what you have, and say TASK INCOMPLETE with what is left.",
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
