/**
 * Collects problems, up to a number that is still helpful: a hundred thousand messages help nobody fix a reply with a
 * hundred thousand mistakes.
 */
import { grouped } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";

export class ReplyProblems {
  readonly #kept: Problem[] = [];
  #dropped = 0;

  add(...problems: readonly Problem[]): void {
    this.addEach(problems);
  }

  /** Takes an iterable, because there may be more than a call can have arguments. */
  addEach(problems: Iterable<Problem>): void {
    for (const problem of problems) {
      if (this.#kept.length < FINDINGS_MAX) this.#kept.push(problem);
      else this.#dropped += 1;
    }
  }

  get count(): number {
    return this.#kept.length + this.#dropped;
  }

  list(): readonly Problem[] {
    if (this.#dropped === 0) return this.#kept;
    return [
      ...this.#kept,
      {
        code: "LIMIT_PROBLEMS",
        message: `and ${grouped(this.#dropped)} more like these`,
        hint: "Correct these first; the others are reported then.",
      },
    ];
  }
}

const FINDINGS_MAX = 1_000;
