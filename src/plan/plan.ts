/**
 * The vocabulary of plans: what a task document says, and where it says it.
 *
 * Places are offsets into exactly the text that was read, so that an edit can splice bytes and leave the rest alone.
 */
import type { Budget, Priority } from "./value-readers.ts";

/** From the first character to after the last, as `slice` takes them. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Plan {
  /** The front matter's `title`, else the first heading of level 1, else empty. */
  readonly title: string;
  /** The text between the title and the first heading that has a meaning to us. */
  readonly overview: string;
  readonly settings: Settings;
  readonly frontMatter?: FrontMatterPlace;
  readonly agents: readonly PlanAgent[];
  /** In the order of the document. */
  readonly tasks: readonly PlanTask[];
  /** The `Tasks` headings. A document that has none gets one when a task is appended. */
  readonly taskSections: readonly TaskSection[];
  /** Every heading that is neither a task nor inside one. */
  readonly sections: readonly PlanSection[];
  /** References outside tasks. */
  readonly references: readonly Reference[];
}

/** How people and commands name a task: a GitHub-style slug, Unicode allowed. */
export type TaskId = string & { readonly __brand: "TaskId" };

export interface PlanTask {
  readonly id: TaskId;
  /** The id in ASCII, safe as a file name, a ref and an object key. */
  readonly key: string;
  readonly title: string;
  /** A sub-heading of `Tasks`, or a `- [ ]` bullet directly below it. */
  readonly form: "heading" | "bullet";
  /** Ticked, or with a `Status` that says so. */
  readonly isDone: boolean;
  readonly status?: string;
  readonly agent?: string;
  readonly auditor?: string;
  /** Ids as written, without `#`, each once. The check judges whether they exist. */
  readonly dependsOn: readonly Named[];
  readonly priority: Priority;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly produces: readonly string[];
  readonly shares: readonly string[];
  readonly workflow?: string;
  readonly mainWorkflow?: string;
  /** The task's own commands, else those of the front matter. */
  readonly verify: readonly string[];
  readonly success: readonly Criterion[];
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly budget?: Budget;
  readonly failure?: string;
  readonly escalateTo?: string;
  /** Everything below the leading fields, as written. */
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
  /** In its standard spelling (`depends-on`) if it is known, else in lower case with hyphens. */
  readonly key: string;
  /** As written. */
  readonly name: string;
  /** The lines it fills, including the line end. */
  readonly whole: Span;
  /** The text after the colon, including lists below it. */
  readonly value: Span;
}

export interface TaskPlace {
  /** From its first line to the first character that no longer belongs to it. */
  readonly whole: Span;
  readonly title: Span;
  /** Where the title's line ends, including the line end. */
  readonly below: number;
  /** The character between the brackets of a short task. */
  readonly tick?: number;
  /** The indentation of a field, for a task that has none yet. */
  readonly indent: string;
}

export interface TaskSection {
  readonly level: number;
  /** Where the heading's line ends, including the line end. */
  readonly below: number;
  readonly end: number;
}

export interface PlanSection {
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
  /** If missing, the configuration decides. */
  readonly driver?: string;
  readonly at: Span;
}

export interface FrontMatterPlace {
  /** From the first `---` to the end of the line with the last one. */
  readonly whole: Span;
  /** The YAML between them. */
  readonly yaml: Span;
}

/** The known settings of the front matter. Settings that were not written are missing. */
export interface Settings {
  readonly title?: string;
  readonly mainWorkflow?: string;
  readonly activeDevelopers?: number;
  readonly verify?: readonly string[];
  readonly setup?: readonly string[];
  /** Paths outside the desk, `/…` or `~/…`, that agents and verify commands may change permanently. */
  readonly alsoWritable?: readonly string[];
  readonly usageCommand?: string;
  readonly budget?: Budget;
  /** `none`: the verify commands are enough, or nothing at all is required. */
  readonly audit?: "none" | "required";
  readonly approve?: "ask" | "auto";
  readonly schedule?: "flow" | "levels";
  readonly land?: "ask" | "auto" | "never";
  readonly onQuestion?: "hold-affected" | "hold-all";
  readonly confirmDeletes?: "ask" | "declared" | "always-allow" | "never";
  readonly confirmSensitive?: "ask" | "declared" | "never";
  /** What happens to a turn if something of the user's changed during it while agents work without a sandbox. */
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
  /** For tasks that do not set their own. */
  readonly agent?: string;
  readonly auditor?: string;
  readonly priority?: Priority;
  readonly workflow?: string;
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly failure?: string;
  readonly escalateTo?: string;
}
