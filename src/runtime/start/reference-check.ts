/**
 * Checks that a plan's references exist. A missing one does not stop a run; it gives a warning that suggests what was
 * probably meant.
 */
import { addressText, type DocumentPath, readAddress } from "../../document/address.ts";
import { findDocument, findPart, nearestDocuments, nearestParts } from "../../document/find-document.ts";
import type { Library } from "../../document/store.ts";
import type { Reference } from "../../plan/plan.ts";
import type { PlanFinding } from "../../plan/problem.ts";
import { oneLine, quote } from "../../std/printable.ts";

type MissingReference = Pick<PlanFinding, "message" | "hint">;

/** Each search for a similar name looks at all documents, and nobody reads the two-hundredth suggestion. */
const searchesMax = 200;

export class ReferenceCheck {
  readonly #judged = new Map<string, MissingReference | undefined>();
  #searches = 0;

  constructor(private readonly library: Library) {}

  /** Undefined if it exists. */
  missing({ path, slug, at }: Reference): PlanFinding | undefined {
    const spelled = `@${path}${slug === undefined ? "" : `#${slug}`}`;
    if (!this.#judged.has(spelled)) this.#judged.set(spelled, this.#judge(path, slug, spelled));
    const found = this.#judged.get(spelled);
    return found && { code: "REFERENCE_MISSING", severity: "warning", at, ...found };
  }

  #judge(path: string, slug: string | undefined, spelled: string): MissingReference | undefined {
    const read = readAddress(path);
    if ("problem" in read) return missingReference(spelled, read.problem.message, read.problem.hint);
    const found = findDocument(this.library, read.address.path);
    if ("problem" in found) {
      const { code, message, hint } = found.problem;
      return missingReference(
        spelled,
        message,
        code === "DOC_NOT_FOUND" ? this.#instead(read.address.path) : hint,
      );
    }
    const part = slug === undefined ? undefined : findPart(found.document, slug);
    if (slug === undefined || !part || !("problem" in part)) return undefined;
    const [near] = nearestParts(found.document, slug);
    const whole = `Write @${oneLine(read.address.path, 200)} for all of it, or the slug of one of its headings.`;
    const hint =
      near === undefined ? whole : `Did you mean @${addressText({ ...read.address, slug: near })}?`;
    return missingReference(spelled, part.problem.message, hint);
  }

  #instead(path: DocumentPath): string {
    this.#searches += 1;
    const near = this.#searches > searchesMax ? [] : nearestDocuments(this.library, path);
    const file = `.coxswain/docs${oneLine(path, 200)}`;
    return near.length > 0
      ? `Did you mean ${near.map((each) => `@${oneLine(each, 200)}`).join(" or ")}?`
      : `Write the document ${file}, or remove the reference; in backticks it is not a reference.`;
  }
}

function missingReference(spelled: string, why: string, hint: string): MissingReference {
  return {
    message: `${quote(spelled, 200)} refers to nothing, and the agent works without it:  ${why}`,
    hint,
  };
}
