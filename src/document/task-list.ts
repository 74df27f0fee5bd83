/**
 * The tasks of a document, in order, found by slug.
 *
 * Each task is parsed once, with offsets relative to where it began at that time; an array of numbers says where it
 * begins now. An edit inside one task therefore parses only that task and shifts the others by one addition each.
 * Parsing 10,000 tasks takes about 0.3 s; a step in a list of them must not.
 */

import type { Splice } from "../plan/edit/splice.ts";
import type { PlanSection, PlanTask, Settings, Span, TaskSection } from "../plan/plan.ts";
import { scanLines } from "../plan/read/lines.ts";
import { readPiece, readTasks } from "../plan/read/read-tasks.ts";
import { ownCopy } from "../std/own-copy.ts";
import type { Sliceable } from "../std/sliceable.ts";
import { conflictMark, mergeConflict } from "./text/merge-conflict.ts";

/** A task without any of its positions in the text. */
export type ListedTask = Omit<PlanTask, "place" | "fields" | "references" | "dependsOn"> & {
  readonly dependsOn: readonly { readonly name: string }[];
};

export class TaskList {
  #all: readonly PlanTask[] | undefined;

  private constructor(
    private readonly entries: readonly Entry[],
    private readonly starts: readonly number[],
    private readonly bySlug: ReadonlyMap<string, number>,
    private readonly about: About,
  ) {}

  static read(text: string): TaskList {
    const { tasks, levels, settings, taskSections, sections } = readTasks(text);
    const entries = tasks.map((task, at) => ({
      task,
      origin: task.place.whole.start,
      level: levels[at] ?? 0,
    }));
    const starts = entries.map(({ origin }) => origin);
    const hasComment = text.includes("<!--");
    const conflict = mergeConflict(text);
    const about = {
      settings,
      taskSections,
      sections,
      hasComment,
      ...(conflict !== undefined && { conflict }),
    };
    return new TaskList(entries, starts, indexOf(entries), about);
  }

  get size(): number {
    return this.entries.length;
  }

  /** Defaults for tasks that have no setting of their own. */
  get settings(): Settings {
    return this.about.settings;
  }

  /** The `Tasks` headings. */
  get taskSections(): readonly TaskSection[] {
    return this.about.taskSections;
  }

  /** Titles of the headings that are neither tasks nor inside one. */
  get otherTitles(): readonly string[] {
    return this.about.sections.map(({ title }) => title);
  }

  /** The offset of the first unresolved merge conflict in the document. */
  get conflict(): number | undefined {
    return this.about.conflict;
  }

  /** All tasks; to look for one, use `find`. */
  get tasks(): readonly PlanTask[] {
    this.#all ??= this.entries.map((_, at) => this.#placed(at));
    return this.#all;
  }

  /** All tasks without their positions, which is cheap. */
  *facts(): Generator<ListedTask> {
    for (const { task } of this.entries) yield task;
  }

  find(slug: string): PlanTask | undefined {
    const at = this.bySlug.get(slug);
    return at === undefined ? undefined : this.#placed(at);
  }

  /** The first, if several tasks share the slug, which only happens by mistake. */
  factsOf(slug: string): ListedTask | undefined {
    return this.entries[this.bySlug.get(slug) ?? -1]?.task;
  }

  /** All tasks with the slug; more than one only by mistake, or after a merge. */
  all(slug: string): readonly PlanTask[] {
    const first = this.find(slug);
    // As many slugs as tasks, so there are no duplicates.
    if (!first || this.bySlug.size === this.size) return first ? [first] : [];
    return this.entries.flatMap(({ task }, at) => (task.id === slug ? [this.#placed(at)] : []));
  }

  at(index: number): PlanTask | undefined {
    return index >= 0 && index < this.size ? this.#placed(index) : undefined;
  }

  indexOf(slug: string): number {
    return this.bySlug.get(slug) ?? -1;
  }

  /** Headings of this level or above end the task. */
  levelOf(index: number): number {
    return this.entries[index]?.level ?? 0;
  }

  /** The list after an edit; undefined if the document must be parsed again. */
  spliced(splices: readonly Splice[], { before, after }: Texts): TaskList | undefined {
    if (this.conflict !== undefined || splices.some(({ text }) => text.includes(conflictMark)))
      return undefined;
    const groups = this.#byTask(splices);
    if (!groups) return undefined;
    // Copied as a whole, since most of a long list stays as it is.
    const entries = this.entries.slice();
    const starts = this.starts.slice();
    const more: { readonly behind: number; readonly entries: readonly Entry[]; readonly start: number }[] =
      [];
    let { about } = this;
    let shift = 0;
    let isRenamed = false;
    let at = 0;
    const moveUpTo = (end: number) => {
      if (shift !== 0)
        for (let index = at; index < end; index += 1) starts[index] = (starts[index] ?? 0) + shift;
      at = end;
    };
    for (const group of groups) {
      moveUpTo(group.at + 1);
      const added = more.reduce((sum, { entries: others }) => sum + others.length, 0);
      const [first, ...others] = this.#reread(group, { before, after, shift, added }) ?? [];
      if (!first) return undefined;
      const start = starts[group.at] ?? 0;
      entries[group.at] = first;
      starts[group.at] = start + first.origin;
      if (others.length > 0) more.push({ behind: group.at + 1, entries: others, start });
      isRenamed ||= others.length > 0 || first.task.id !== this.entries[group.at]?.task.id;
      shift += group.delta;
    }
    moveUpTo(this.size);
    for (const { behind, entries: others, start } of more.toReversed()) {
      entries.splice(behind, 0, ...others);
      starts.splice(behind, 0, ...others.map(({ origin }) => start + origin));
    }
    for (const { end, delta } of groups.toReversed()) about = movedBehind(about, { end, by: delta });
    about = { ...about, hasComment: about.hasComment || splices.some(({ text }) => text.includes("<!--")) };
    return new TaskList(entries, starts, isRenamed ? indexOf(entries) : this.bySlug, about);
  }

  /** The edited task as it is now, perhaps followed by new ones; undefined if it cannot be parsed on its own. */
  #reread({ at, delta, splices }: Group, { before, after, shift, added }: RereadTexts): Entry[] | undefined {
    const old = this.#placed(at);
    const start = old.place.whole.start + shift;
    const end = old.place.whole.end + shift + delta;
    if (!isUnmoved(old, splices, after.slice(start, old.place.title.start + shift))) return undefined;
    const { whole } = old.place;
    // The edit may uncover what the task used to hide, for example in an unclosed fence.
    if (scanLines(before.slice(whole.start, whole.end)).unclosed) return undefined;
    if (!isSheltered(after, old.form, end) || !this.#isUnseen(after, start)) return undefined;
    const level = this.levelOf(at);
    const { settings } = this.about;
    const read = readPiece({
      // Otherwise each edited task would keep the whole text of the document at that time in memory.
      text: ownCopy(after.slice(start, end)),
      form: old.form,
      level,
      settings,
      number: at + 1 + added,
    });
    if (!read || (read.tasks.length > 1 && this.#namesByNumber(at))) return undefined;
    return read.tasks.map((task) => ({ task, origin: task.place.whole.start, level }));
  }

  #placed(at: number): PlanTask {
    const entry = this.entries[at];
    const start = this.starts[at];
    if (!entry || start === undefined) throw new RangeError(`there is no task ${at}`);
    return moved(entry.task, start - entry.origin);
  }

  /** The tasks that the splices lie in or directly after, in order; undefined if a splice lies elsewhere. */
  #byTask(splices: readonly Splice[]): readonly Group[] | undefined {
    const groups: Group[] = [];
    for (const splice of splices.toSorted((one, other) => one.start - other.start)) {
      const at = this.#lastBefore(splice.start);
      const end = this.at(at)?.place.whole.end ?? -1;
      if (splice.end > end) return undefined;
      const delta = splice.text.length - (splice.end - splice.start);
      const last = groups.at(-1);
      if (last?.at === at) groups[groups.length - 1] = grown(last, splice, delta);
      else groups.push({ at, end, delta, splices: [splice] });
    }
    return groups;
  }

  /** The last task that begins before an offset. */
  #lastBefore(offset: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * Whether the task's text cannot affect how a line above it is parsed. Only a line that starts a comment inside a
   * sentence looks further than the next line, and never past a blank one.
   */
  #isUnseen(after: Sliceable, start: number): boolean {
    return !this.about.hasComment || /\n[ \t\r]*\n$/.test(after.slice(Math.max(0, start - 40), start));
  }

  /** A task without a title is named by its number, which changes when others are added before it. */
  #namesByNumber(at: number): boolean {
    return this.entries.slice(at + 1).some(({ task }) => /^task-\d+$/.test(task.id));
  }
}

interface Entry {
  /** As parsed when it began at `origin`. */
  readonly task: PlanTask;
  readonly origin: number;
  readonly level: number;
}

interface About {
  readonly settings: Settings;
  readonly taskSections: readonly TaskSection[];
  readonly sections: readonly PlanSection[];
  /** Whether a comment starts anywhere. */
  readonly hasComment: boolean;
  readonly conflict?: number;
}

function indexOf(entries: readonly Entry[]): Map<string, number> {
  const bySlug = new Map<string, number>();
  entries.forEach(({ task }, at) => {
    if (!bySlug.has(task.id)) bySlug.set(task.id, at);
  });
  return bySlug;
}

/** The splices of one task. */
interface Group {
  readonly at: number;
  /** Where the task ended before. */
  readonly end: number;
  readonly delta: number;
  readonly splices: readonly Splice[];
}

/** The document before and after an edit. */
interface Texts {
  readonly before: Sliceable;
  readonly after: Sliceable;
}

/** Plus what the edit did before the task in question. */
interface RereadTexts extends Texts {
  readonly shift: number;
  /** How many tasks were added. */
  readonly added: number;
}

function grown({ splices, delta, ...group }: Group, splice: Splice, by: number): Group {
  return { ...group, delta: delta + by, splices: [...splices, splice] };
}

/** Whether its first line still starts the same way, so that it parses the same whatever stands above it. */
function isUnmoved({ place, form }: PlanTask, splices: readonly Splice[], head: string): boolean {
  if (splices.some(({ start }) => start < place.title.start)) return false;
  return form === "heading" ? /^ {0,3}#/.test(head) : /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(head);
}

/** Whether what follows parses the same, whatever the task ends with. */
function isSheltered(after: Sliceable, form: PlanTask["form"], end: number): boolean {
  if (end === after.length) return true;
  // What follows must start on a line of its own.
  if (after.slice(end - 1, end) !== "\n") return false;
  const line = after.slice(end, end + 12);
  if (/^#{1,6}[ \t\r\n]/.test(line)) return true;
  // No list or paragraph continues after a blank line; anything indented that far would belong to the bullet itself.
  return form === "bullet" && (/^[ \t]*\r?\n/.test(line) || /^[-*+] \[[ xX]\] /.test(line));
}

function moved(task: PlanTask, by: number): PlanTask {
  if (by === 0) return task;
  const span = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const { place } = task;
  return {
    ...task,
    dependsOn: task.dependsOn.map(({ name, at }) => ({ name, at: span(at) })),
    fields: task.fields.map((field) => ({ ...field, whole: span(field.whole), value: span(field.value) })),
    references: task.references.map((reference) => ({ ...reference, at: span(reference.at) })),
    place: {
      ...place,
      whole: span(place.whole),
      title: span(place.title),
      below: place.below + by,
      ...(place.tick === undefined ? {} : { tick: place.tick + by }),
    },
  };
}

function movedBehind(
  { settings, taskSections, sections, hasComment }: About,
  { end, by }: { readonly end: number; readonly by: number },
): About {
  const offset = (at: number) => (at >= end ? at + by : at);
  return {
    settings,
    hasComment,
    taskSections: taskSections.map((section) => ({
      ...section,
      below: offset(section.below),
      end: offset(section.end),
    })),
    sections: sections.map((section) => ({
      ...section,
      whole: { start: offset(section.whole.start), end: offset(section.whole.end) },
    })),
  };
}
