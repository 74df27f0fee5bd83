/**
 * Finds the attachments of each open task of a plan: its workflow, the plan's, and the documents that the task and the
 * overview refer to. Missing ones are reported with their place.
 *
 * All are read once, at the start. The run gets copies and never looks again.
 */
import type { CrewProblem } from "../../config/crew/crew.ts";
import type { EffectiveSettings } from "../../config/settings/effective-settings.ts";
import { taskSettings } from "../../config/settings/task-settings.ts";
import { referencesIn } from "../../document/link/links.ts";
import { loadReferences } from "../../document/link/load-references.ts";
import type { Library } from "../../document/store.ts";
import type { Plan, PlanTask, Reference } from "../../plan/plan.ts";
import type { Workflows } from "../../task/workflow/workflows.ts";
import type { AttachedDocuments, Attachments, KeptWorkflow, TaskAttachments } from "./attachments.ts";
import { ReferenceCheck } from "./reference-check.ts";
import { type WorkflowField, type WorkflowPlace, WorkflowPlaces } from "./workflow-place.ts";

export interface AttachmentSources {
  readonly plan: Plan;
  readonly texts: { readonly plan: string; readonly config: string };
  readonly settings: EffectiveSettings;
  readonly workflows: Workflows;
  readonly library: Library;
}

export interface AttachmentResult {
  readonly attachments: Attachments;
  readonly problems: readonly CrewProblem[];
}

export function collectAttachments(sources: AttachmentSources): AttachmentResult {
  const gathering = new AttachmentCollector(sources);
  for (const task of sources.plan.tasks) if (!task.isDone) gathering.add(task);
  return gathering.finish();
}

/** In UTF-16 units, for all texts of a run together: a plan of thousands of tasks may refer to as many documents. */
const textsMax = 32 * 1024 * 1024;

class AttachmentCollector {
  readonly #tasks: TaskAttachments[] = [];
  readonly #texts = new Map<string, number>();
  #textsLength = 0;
  /** By their references. */
  readonly #readings = new Map<string, number>();
  readonly #kept: AttachedDocuments[] = [];
  readonly #workflows = new Map<string, KeptWorkflow | undefined>();
  readonly #problems: CrewProblem[] = [];
  readonly #check: ReferenceCheck;
  readonly #places: WorkflowPlaces;
  /** References in the overview, which every agent reads. */
  readonly #common: readonly string[];

  constructor(private readonly sources: AttachmentSources) {
    const { plan, library, texts, settings } = sources;
    this.#check = new ReferenceCheck(library);
    this.#places = new WorkflowPlaces(texts, settings);
    this.#common = referencesIn(plan.overview).map(({ spelled }) => spelled);
    this.#judge(plan.references);
  }

  add(task: PlanTask): void {
    this.#judge(task.references);
    const named = taskSettings(task, this.sources.settings);
    const workflow = this.#workflow("workflow", named.workflow, task);
    const mainWorkflow = this.#workflow("main-workflow", named.mainWorkflow, task);
    const reading = this.#reading(task);
    if (!workflow && !mainWorkflow && reading === undefined) return;
    this.#tasks.push({
      task: task.id,
      ...(workflow && { workflow }),
      ...(mainWorkflow && { mainWorkflow }),
      ...(reading !== undefined && { reading }),
    });
  }

  finish(): AttachmentResult {
    const texts = [...this.#texts.keys()];
    const attachments = { version: 1, texts, readings: this.#kept, tasks: this.#tasks } as const;
    return { attachments, problems: this.#problems };
  }

  #judge(references: readonly Reference[]): void {
    for (const reference of references) {
      const finding = this.#check.missing(reference);
      if (finding) this.#problems.push({ ...finding, source: "plan" });
    }
  }

  /** Looked up, and reported if missing, once for each place that names it, even if many tasks use it. */
  #workflow(field: WorkflowField, name: string | undefined, task: PlanTask): KeptWorkflow | undefined {
    if (name === undefined) return undefined;
    const place = this.#places.of(field, task);
    const key = `${field} ${place.source} ${place.at.start} ${name}`;
    if (!this.#workflows.has(key)) this.#workflows.set(key, this.#find(field, name, place));
    return this.#workflows.get(key);
  }

  #find(field: WorkflowField, name: string, place: WorkflowPlace): KeptWorkflow | undefined {
    const found = this.sources.workflows.find(field, name);
    if ("workflow" in found) return { name, text: this.#textAt(found.workflow.text) };
    const { code, message, hint } = found.problem;
    this.#problems.push({ ...place, code, severity: "blocking", message, hint });
    return undefined;
  }

  #reading({ references }: PlanTask): number | undefined {
    const spelled = references.map(({ path, slug }) => `@${path}${slug === undefined ? "" : `#${slug}`}`);
    const key = [...new Set([...spelled, ...this.#common])].join("\n");
    if (key === "") return undefined;
    const at = this.#readings.get(key) ?? this.#kept.push(this.#read(key)) - 1;
    this.#readings.set(key, at);
    return at;
  }

  #read(references: string): AttachedDocuments {
    const { loaded, missing, leftOut } = loadReferences(this.sources.library, references);
    const isRoom = (text: string) => this.#texts.has(text) || this.#textsLength + text.length <= textsMax;
    const given = loaded.filter(({ text }) => isRoom(text));
    const beyond = loaded.filter(({ text }) => !isRoom(text));
    return {
      references: given.map(({ document, text, isCut }) => ({ document, text: this.#textAt(text), isCut })),
      missing: missing.map(({ reference }) => reference),
      leftOut: [...beyond.map(({ document }) => document), ...leftOut],
    };
  }

  #textAt(text: string): number {
    const at = this.#texts.get(text) ?? this.#texts.size;
    if (at === this.#texts.size) this.#textsLength += text.length;
    this.#texts.set(text, at);
    return at;
  }
}
