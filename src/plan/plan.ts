/**
 * The vocabulary of plans: what a task document says, with the place of everything it says.
 *
 * Places are offsets into the very text that was read, so that an edit can splice bytes and leave the rest alone.
 */
import type { Budget, Priority } from "./value-readers.ts";

/** From the first character to behind the last, as `slice` takes them. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Plan {
  /** The front matter's `title`, else the first heading of level 1, else nothing. */
  readonly title: string;
  /** What stands between the title and the first heading that means something to us. */
  readonly overview: string;
  readonly settings: Settings;
  readonly frontMatter?: FrontMatterPlace;
  readonly agents: readonly PlanAgent[];
  /** In the order of the document. */
  readonly tasks: readonly Task[];
  /** The `Tasks` headings; nothing can be appended to a document that has none. */
  readonly taskSections: readonly TaskSection[];
  /** Every heading that is neither a task nor inside one. */
  readonly sections: readonly Section[];
  /** Those of the document outside its tasks. */
  readonly references: readonly Reference[];
}

/** How people and commands name a task: a GitHub-style slug, Unicode allowed. */
export type TaskId = string & { readonly __brand: "TaskId" };

export interface Task {
  readonly id: TaskId;
  /** The id in ASCII, safe as a file name, a ref and an object's key. */
  readonly key: string;
  readonly title: string;
  /** A sub-heading of `Tasks`, or a `- [ ]` bullet directly below it. */
  readonly form: "heading" | "bullet";
  /** Ticked, or with a `Status` that says so. */
  readonly isDone: boolean;
  readonly status?: string;
  readonly agent?: string;
  readonly auditor?: string;
  /** Ids as they were written, `#` left out; each once. Whether they exist is judged by the check. */
  readonly dependsOn: readonly Named[];
  readonly priority: Priority;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly produces: readonly string[];
  readonly shares: readonly string[];
  readonly workflow?: string;
  readonly mainWorkflow?: string;
  /** The commands of the task, else those of the front matter. */
  readonly verify: readonly string[];
  readonly success: readonly Criterion[];
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly budget?: Budget;
  readonly failure?: string;
  readonly escalateTo?: string;
  /** Everything below the leading fields, as it was written. */
  readonly text: string;
  readonly fields: readonly Field[];
  readonly references: readonly Reference[];
  readonly place: TaskPlace;
}

export interface Named {
  readonly name: string;
  readonly at: Span;
}

export interface Criterion {
  readonly text: string;
  readonly isDone: boolean;
}

/** A leading `- Key: value` of a task. */
export interface Field {
  /** In its one spelling (`depends-on`) where it is known, else in lower case with hyphens. */
  readonly key: string;
  /** As it was written. */
  readonly name: string;
  /** Of the lines it fills, the line end included. */
  readonly whole: Span;
  /** Of what stands behind the colon, lists below it included. */
  readonly value: Span;
}

export interface TaskPlace {
  /** From its first line to the first character that is no longer its own. */
  readonly whole: Span;
  readonly title: Span;
  /** Where its title's line ends, the line end included. */
  readonly below: number;
  /** The character between the brackets of a short task. */
  readonly tick?: number;
  /** What stands before a field of it where it has none yet. */
  readonly indent: string;
}

export interface TaskSection {
  readonly level: number;
  /** Where the heading's line ends, the line end included. */
  readonly below: number;
  readonly end: number;
}

export interface Section {
  readonly title: string;
  readonly level: number;
  readonly whole: Span;
}

/** `@/path.md#slug` in a text. */
export interface Reference {
  /** From the root of the documents: `/path.md`. */
  readonly path: string;
  readonly slug?: string;
  readonly at: Span;
}

/** `- name: role on driver` below the `Agents` heading. */
export interface PlanAgent {
  readonly name: string;
  readonly role: string;
  /** Where it is not said, the configuration says it. */
  readonly driver?: string;
  readonly at: Span;
}

export interface FrontMatterPlace {
  /** From its first `---` to behind the line of its last one. */
  readonly whole: Span;
  /** The YAML between the two. */
  readonly yaml: Span;
}

/** What the front matter says, of what is known; a setting that is absent was not said. */
export interface Settings {
  readonly title?: string;
  readonly mainWorkflow?: string;
  readonly activeDevelopers?: number;
  readonly verify?: readonly string[];
  readonly setup?: readonly string[];
  readonly usageCommand?: string;
  readonly budget?: Budget;
  /** `none`: the verify commands, or nothing at all, are enough. */
  readonly audit?: "none" | "required";
  readonly approve?: "ask" | "auto";
  readonly schedule?: "flow" | "levels";
  readonly land?: "ask" | "auto" | "never";
  readonly onQuestion?: "hold-affected" | "hold-all";
  readonly confirmDeletes?: "ask" | "declared" | "always-allow" | "never";
  readonly confirmSensitive?: "ask" | "declared" | "never";
  /** What becomes of a turn while which something of the user's changed, where agents work without a sandbox. */
  readonly onOutsideChange?: "warn" | "fail";
  /** Whether the plan's verify commands run on the commit that a run begins at, before the first turn. */
  readonly verifyBase?: boolean;
  readonly coordinatorMode?: "on-conflict" | "always" | "never";
  /** Whether the coordinator ticks short tasks in the document itself. */
  readonly tick?: boolean;
  readonly replyAttempts?: number;
  readonly turnAttempts?: number;
  readonly auditAttempts?: number;
  readonly remediationAttempts?: number;
  readonly delegationsPerAgent?: number;
  readonly loopThreshold?: number;
  readonly usageThresholdPercent?: number;
  readonly turnTimeoutMs?: number;
  readonly stallTimeoutMs?: number;
  readonly verifyTimeoutMs?: number;
  readonly checkpointIntervalMs?: number;
  readonly delegationTimeoutMs?: number;
  /** For tasks that say nothing of their own. */
  readonly agent?: string;
  readonly auditor?: string;
  readonly priority?: Priority;
  readonly workflow?: string;
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly failure?: string;
  readonly escalateTo?: string;
}
