/**
 * Records what a developer's reply asked to change and what was found at the desk. It is gathered while the reply is
 * collected and stored in the log; progress.md is made from it. Its size is bounded, whatever the reply contains, and
 * nothing is decided by it.
 */
import type { Change } from "../../change/change.ts";
import type { TreePath } from "../../change/path.ts";
import { deleteChecker } from "../../change/policy/deletes.ts";
import type { PolicyRules } from "../../change/policy/policy.ts";
import { requestedDeletes } from "../../change/policy/requested-deletes.ts";
import type { ReplyOutcome, ReplyRecord } from "../../kernel/command.ts";
import type { RecordedDelete, RecordedOperation } from "../../kernel/recorded-changeset.ts";
import { allowanceKey } from "../../kernel/state.ts";
import type { Operation, Reply } from "../../reply/reply.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { TreeDifference } from "../../view/text/tree-difference.ts";
import type { CapturedWork } from "./capture-work.ts";
import type { CarriedOut } from "./workbench.ts";

/** At most this many operations are listed, refused ones first. The rest are only counted. */
const listedMax = 100;
const wordsMax = 300;

interface Listed {
  readonly operation: Operation["operation"];
  readonly path: string;
  /** Position in the reply, from 0; missing for a change that was made at the desk. */
  readonly index?: number;
  readonly description?: string;
  readonly bytes?: number;
  readonly sha256?: string;
}

export interface RecordRules {
  readonly rules: PolicyRules;
  /** Keys of the changes that a person allowed. */
  readonly allowed: readonly string[];
}

export class ChangesetRecord {
  #operations: readonly Listed[] = [];
  #held: TreeDifference | undefined;
  #isCaptured = false;
  #refused: readonly Problem[] = [];

  constructor(private readonly given: RecordRules) {}

  /** Notes the operations of the reply before anything is done. */
  read({ operations }: Reply): void {
    this.#operations = operations.map(({ index, operation, filePath, description }) => ({
      index,
      operation,
      path: filePath,
      description,
    }));
  }

  /** Notes what happened to the operations at the desk. */
  carriedOut(done: CarriedOut): void {
    // If it was carried out before a crash and its stage is damaged, this list is empty, and the files at the desk are
    // recorded instead.
    if (done.kind === "done") {
      this.#operations = done.operations;
      return;
    }
    if (done.kind === "refused") this.#refused = done.problems;
    this.#held = done.held;
    const paths = new Map(done.operations.map(({ index, path }) => [index, path]));
    this.#operations = this.#operations.map((one) => ({
      ...one,
      path: paths.get(one.index ?? -1) ?? one.path,
    }));
  }

  captured({ held, refused }: CapturedWork): void {
    this.#held = held;
    this.#isCaptured = true;
    this.#refused = refused;
  }

  /** Undefined if the reply contained no changeset, for example only a question. */
  facts({ kind }: ReplyOutcome): ReplyRecord | undefined {
    const isChangeset = kind === "work" || kind === "refused" || kind === "needs-confirmation";
    if (!isChangeset && !this.#isCaptured) return undefined;
    const deletes = this.#deletes(kind);
    return { changeset: this.#changeset(), ...(deletes && { deletes }) };
  }

  #changeset(): ReplyRecord["changeset"] {
    const all = [...this.#operations, ...this.#atDesk()];
    const failures = failuresOf(this.#refused);
    const lasts = new Map(all.map(({ path }, at) => [path, at]));
    const images = new Map(this.#held?.changes.map((change) => [change.path as string, change]));
    const failed: number[] = [];
    const others: number[] = [];
    for (const [at, one] of all.entries()) (failures(one) === undefined ? others : failed).push(at);
    const listed = [...failed, ...others].slice(0, listedMax).sort((one, other) => one - other);
    const operations = listed.flatMap((at): RecordedOperation[] => {
      const one = all[at];
      if (!one) return [];
      const { operation, path, description } = one;
      const failure = failures(one);
      const isLast = lasts.get(path) === at;
      const seen = this.#isCaptured && isLast ? readBack(one, images.get(path)) : imageOf(one);
      return [
        {
          number: at + 1,
          operation,
          path: oneLine(path, wordsMax),
          ...(description !== undefined && { description: oneLine(description, wordsMax) }),
          ...seen,
          ...(failure !== undefined && { failure: oneLine(failure, wordsMax) }),
        },
      ];
    });
    return { operations, total: all.length };
  }

  /** Files that the agent changed at the desk itself, apart from the operations of its reply. */
  #atDesk(): Listed[] {
    if (!this.#isCaptured || !this.#held) return [];
    const listedPaths = new Set(this.#operations.map(({ path }) => path));
    const changes = this.#held.changes.filter(({ path }) => !listedPaths.has(path));
    const links = this.#held.links.filter(({ path }) => !listedPaths.has(path));
    return [
      ...changes.map(deskChange),
      ...links.map(
        ({ path, target }): Listed => ({
          operation: target === undefined ? "delete" : "create",
          path,
          description: target === undefined ? "a link, removed at the desk" : `a link to ${target}`,
        }),
      ),
    ];
  }

  #deletes(kind: ReplyOutcome["kind"]): ReplyRecord["deletes"] {
    const { rules, allowed } = this.given;
    const held = this.#held;
    if (!held) return undefined;
    const byPerson = new Set(allowed);
    const check = deleteChecker(rules);
    const pre = new Map(held.changes.map((change) => [change.path, change.pre]));
    const contentOf = (path: TreePath) => {
      const image = pre.get(path);
      return image && held.bytes(image.sha256);
    };
    // A deletion that a person allowed was requested, and logged, earlier.
    const asked = held.changes.filter(
      ({ path, pre, post }) => pre && !post && !byPerson.has(allowanceKey({ path, sha256: pre.sha256 })),
    );
    const { files, total } = requestedDeletes(asked, contentOf);
    if (total === 0) return undefined;
    const answerOf = (path: string, bytes: number): RecordedDelete["answer"] => {
      const { answer } = check(path, bytes);
      if (answer === "refused") return "refused";
      if (kind === "refused") return "dropped";
      return answer === "allowed" ? "allowed" : "asked";
    };
    return {
      policy: rules.deletes,
      total,
      files: files.map((one) => ({
        ...one,
        path: oneLine(one.path, wordsMax),
        answer: answerOf(one.path, one.bytes),
      })),
    };
  }
}

function deskChange({ path, pre, post }: Change): Listed {
  const operation = !post ? "delete" : pre ? "edit" : "create";
  return { operation, path, ...(post && { bytes: post.size, sha256: post.sha256 }) };
}

/** The captured tree was read from the desk after everything had been done there. */
function readBack(one: Listed, change: Change | undefined): Partial<RecordedOperation> {
  if (!change) return one.index === undefined ? imageOf(one) : { ...imageOf(one), is_outside_work: true };
  return change.post ? { bytes: change.post.size, sha256: change.post.sha256 } : {};
}

function imageOf({ bytes, sha256 }: Listed): Partial<RecordedOperation> {
  return bytes === undefined || sha256 === undefined ? {} : { bytes, sha256 };
}

/** Finds a failure by the operation's number in the reply, otherwise by its path. */
function failuresOf(problems: readonly Problem[]): (one: Listed) => string | undefined {
  const byIndex = new Map<number, string>();
  const byPath = new Map<string, string>();
  for (const { index, path, message } of problems.toReversed()) {
    if (index !== undefined) byIndex.set(index, message);
    else if (path !== undefined) byPath.set(path, message);
  }
  return ({ index, path }) => (index === undefined ? undefined : byIndex.get(index)) ?? byPath.get(path);
}
