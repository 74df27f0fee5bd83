/** Turns a task's lines into the task, with typed values, and records every mistake. */
import { counted } from "../../std/counted.ts";
import { present } from "../../std/present.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { bidi, control } from "../../std/unicode.ts";
import { globSyntaxMistake } from "../glob-syntax.ts";
import { asId, idFromTitle, safeKey, whyBadId } from "../id.ts";
import type { Field, Named, PlanTask, Settings, TaskId } from "../plan.ts";
import type { PlanFindings } from "../problem.ts";
import { findReferences } from "../references.ts";
import type { Suggestions } from "../suggestions.ts";
import { type Reader, readBudget, readCount, readDuration, readPriority } from "../value-readers.ts";
import type { FieldLine } from "./field.ts";
import { fieldParts, fieldTexts, fieldValue } from "./field-values.ts";
import type { SourceLine } from "./lines.ts";
import { capitalised, mistypedField, nearestField } from "./near-field.ts";
import type { TaskDraft } from "./outline.ts";
import { isTicked, readTaskLines } from "./task-lines.ts";

export interface TaskReadContext {
  readonly text: string;
  readonly settings: Settings;
  readonly findings: PlanFindings;
  readonly suggestions: Suggestions;
  /** The document will be run as it is: a field lost to a typo is then an error, not a warning. */
  readonly isStrict?: boolean;
}

const titleLengthMax = 200;
const doneWords = new Set(["done", "complete", "completed", "verified"]);
const statusWords = new Set([
  ...doneWords,
  ...["pending", "in-progress", "working", "completion-drive-review", "ready-for-verification"],
  ...["blocked", "failed"],
]);

/** `number` counts from 1; it names a task that has no usable title or id. */
export function readTask(draft: TaskDraft, number: number, reading: TaskReadContext): PlanTask {
  const { text, settings, findings } = reading;
  const title = readTitle(draft, reading);
  const { fields, criteria, textStart, late } = readTaskLines(text, draft, (field, line) =>
    isMeantAsField(field, line, reading),
  );
  for (const { key, name } of late) lateField(key, name, findings);
  const said = new Said(fields, reading);
  const id = readId(draft, title, number, said, reading);
  const { tick } = draft.head.item ?? {};
  const status = readStatus(said, reading);
  const isDone = (tick !== undefined && isTicked(text, tick)) || doneWords.has(status ?? "");
  const verify = said.texts("verify");
  return {
    id,
    key: safeKey(id),
    title,
    form: draft.form,
    isDone,
    ...present({
      status,
      agent: said.one("agent") ?? settings.agent,
      auditor: said.one("auditor") ?? settings.auditor,
      workflow: said.one("workflow") ?? settings.workflow,
      mainWorkflow: said.one("main-workflow") ?? settings.mainWorkflow,
      timeoutMs: said.typed("timeout", readDuration) ?? settings.timeoutMs,
      attempts: said.typed("attempts", readCount(1, 100)) ?? settings.attempts,
      budget: said.typed("budget", readBudget),
      failure: said.one("failure") ?? settings.failure,
      escalateTo: said.one("escalate-to") ?? settings.escalateTo,
    }),
    dependsOn: readDependencies(said),
    priority: said.typed("priority", readPriority) ?? settings.priority ?? "normal",
    reads: said.globs("reads", { mayBeAll: true }),
    writes: said.globs("writes", { mayBeAll: false }),
    deletes: said.globs("deletes", { mayBeAll: false }),
    produces: said.parts("produces").map(({ name }) => name),
    shares: said.parts("shares").map(({ name }) => name),
    verify: verify.length > 0 ? verify : (settings.verify ?? []),
    success: [...said.texts("success").map((words) => ({ text: words, isDone: false })), ...criteria],
    text: text
      .slice(textStart, draft.whole.end)
      .replace(/^(?:[ \t]*\r?\n)+/, "")
      .trimEnd(),
    fields,
    references: findReferences(text, [draft.head, ...draft.body]),
    place: {
      whole: draft.whole,
      title: draft.title,
      below: draft.body[0]?.start ?? draft.whole.end,
      ...(tick === undefined ? {} : { tick }),
      indent: draft.form === "bullet" ? " ".repeat(draft.head.indent + 2) : "",
    },
  };
}

function readTitle({ title: span }: TaskDraft, { text, findings }: TaskReadContext): string {
  const length = span.end - span.start;
  if (length > titleLengthMax) {
    const message = `a title has ${counted(length, "character")}; the limit is ${titleLengthMax}`;
    findings.block("LIMIT_TITLE", span, message, "Shorten the title; the rest belongs in the text below it.");
  }
  const raw = text
    .slice(span.start, Math.min(span.end, span.start + titleLengthMax))
    .replace(/\s*\n\s*/g, " ");
  if (!control.test(raw) && !bidi.test(raw)) return raw;
  const message = `the title ${quote(raw)} has characters that act on a terminal or change the reading order`;
  findings.warn(
    "PLAN_TITLE_CHARACTERS",
    span,
    message,
    "They are left out; take them out of the document too.",
  );
  return [...raw]
    .filter((each) => !control.test(each) && !bidi.test(each))
    .join("")
    .trim();
}

/** In text, only what is clearly a field counts; in a list, whatever looks like one. */
function isMeantAsField(field: FieldLine, line: SourceLine, reading: TaskReadContext): boolean {
  const { text, suggestions, findings, isStrict = false } = reading;
  if (field.isKnown) return true;
  const name = text.slice(field.name.start, field.name.end);
  const near = nearestField(field.key, suggestions);
  const isBold = text[line.first] === "*" && line.kind === "text";
  if (line.kind === "text" && !isBold && !near) return false;
  if (!near && name.split(" ").length > 2) return false;
  const slip = isStrict ? mistypedField(field.key) : undefined;
  if (slip !== undefined) {
    findings.block(
      "PLAN_FIELD_TYPO",
      field.name,
      `there is no field ${quote(name, 60)}; what it says would be lost`,
      `Did you mean ${slip}? For a note of your own, write x-${field.key}.`,
    );
    return true;
  }
  findings.warn(
    "PLAN_UNKNOWN_KEY",
    field.name,
    `there is no field ${quote(name, 60)}; it is kept and has no effect`,
    near
      ? `Did you mean ${near}? For a note of your own, write x-${field.key}.`
      : "For a note of your own, begin the name with x-.",
  );
  return true;
}

function lateField(key: string, at: Field["value"], findings: PlanFindings): void {
  findings.warn(
    "PLAN_LATE_FIELD",
    at,
    `${capitalised(key)} is below the text of its task and is not read`,
    "Move it up, directly below the title, or make it part of a sentence.",
  );
}

function readId(
  draft: TaskDraft,
  title: string,
  number: number,
  said: Said,
  { findings }: TaskReadContext,
): TaskId {
  const pinned = said.place("id");
  const fromTitle = idFromTitle(title);
  if (pinned) {
    const id = said.one("id") ?? "";
    const why = whyBadId(id);
    if (!why) return id as TaskId;
    const better = idFromTitle(id);
    const hint =
      better !== "" && !whyBadId(better)
        ? `Write for example: Id: ${better}`
        : "Write for example: Id: users-table";
    findings.block("PLAN_BAD_ID", pinned, `the id ${quote(id, 60)} ${why}`, hint);
  } else if (fromTitle === "") {
    const message =
      title === "" ? "a task has no title" : `no id can be made of the title ${quote(title, 60)}`;
    findings.block(
      "PLAN_BAD_ID",
      draft.title,
      message,
      "Give it a title with letters or digits, or pin one: - Id: users-table",
    );
  }
  return fromTitle === "" ? asId(`task-${number}`) : fromTitle;
}

function readStatus(said: Said, { findings }: TaskReadContext): string | undefined {
  const status = said
    .one("status")
    ?.toLowerCase()
    .replace(/[\s_-]+/g, "-");
  const at = said.place("status");
  if (status === undefined || !at || statusWords.has(status)) return status;
  findings.warn(
    "PLAN_BAD_STATUS",
    at,
    `${quote(status, 60)} is not a status; the task counts as not done`,
    `Write one of: ${[...statusWords].join(", ")}`,
  );
  return undefined;
}

function readDependencies(said: Said): Named[] {
  const byName = new Map<string, Named>();
  const parts = said.parts("depends-on");
  if (parts.length === 1 && /^(?:none|nothing|n\/a|-|–|—)$/i.test(parts[0]?.name ?? "")) return [];
  for (const { name, at } of parts) {
    const target = /^\[[^[\]]*\]\(#([^()]*)\)$/.exec(name)?.[1] ?? name.replace(/^#/, "");
    const id = asId(target);
    if (!byName.has(id)) byName.set(id, { name: id, at });
  }
  return [...byName.values()];
}

/** The fields of one task by key, read on demand. */
class Said {
  private readonly byKey = new Map<string, Field[]>();

  constructor(
    fields: readonly Field[],
    private readonly reading: TaskReadContext,
  ) {
    for (const field of fields) {
      const same = this.byKey.get(field.key);
      if (same) same.push(field);
      else this.byKey.set(field.key, [field]);
    }
  }

  place(key: string): Field["value"] | undefined {
    return this.byKey.get(key)?.[0]?.value;
  }

  one(key: string): string | undefined {
    const [first, second] = this.byKey.get(key) ?? [];
    if (!first) return undefined;
    if (second) {
      const message = `${first.name} is set twice, and only one can apply`;
      this.reading.findings.block("PLAN_DUPLICATE_FIELD", second.value, message, "Leave one of them out.");
    }
    const value = fieldValue(this.reading.text, first.value);
    // An empty id is a mistake; any other empty value counts as missing.
    return value === "" && key !== "id" ? undefined : value;
  }

  typed<T>(key: string, read: Reader<T>): T | undefined {
    const value = this.one(key);
    const at = this.place(key);
    if (value === undefined || !at) return undefined;
    const reading = read(value);
    if ("value" in reading) return reading.value;
    this.reading.findings.block(
      "SCHEMA_RANGE",
      at,
      `${capitalised(key)} must be ${reading.expected}, not ${quote(value, 60)}`,
      `Write for example: ${capitalised(key)}: ${reading.example}`,
    );
    return undefined;
  }

  parts(key: string): Named[] {
    const fields = this.byKey.get(key) ?? [];
    return fields.flatMap(({ value }) => fieldParts(this.reading.text, value));
  }

  texts(key: string): string[] {
    const fields = this.byKey.get(key) ?? [];
    return fields.flatMap(({ value }) => fieldTexts(this.reading.text, value));
  }

  globs(key: string, rule: { mayBeAll: boolean }): string[] {
    const fit: string[] = [];
    let hasBraces = false;
    for (const { name, at } of this.parts(key)) {
      const mistake = globSyntaxMistake(name, rule);
      if (mistake === undefined) {
        fit.push(name);
        continue;
      }
      // Report only the first of these: `{a,b}` is split at its comma into pieces that are all wrong.
      const isBraces = /[{}]/.test(name);
      if (isBraces && hasBraces) continue;
      hasBraces ||= isBraces;
      this.reading.findings.block(
        "PLAN_BAD_GLOB",
        at,
        `${capitalised(key)}: ${oneLine(name, 60)} ${mistake}`,
        "Write paths from the root of the repository, with * inside a name and ** for folders: src/db/**",
      );
    }
    return fit;
  }
}
