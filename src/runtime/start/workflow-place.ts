/** Finds where a task's workflow was named: on the task, atop the plan, in the configuration, or on the command line. */
import type { EffectiveSettings } from "../../config/settings/effective-settings.ts";
import type { PlanTask, Span } from "../../plan/plan.ts";
import { PlanFindings } from "../../plan/problem.ts";
import { plainKey } from "../../plan/read/field.ts";
import { readFrontMatter } from "../../plan/read/front-matter.ts";
import { readYamlMap } from "../../plan/read/yaml-tree.ts";

export interface WorkflowPlace {
  readonly source: "plan" | "config" | "command line";
  readonly at: Span;
  /** For the command line: the setting it is about. */
  readonly setting?: string;
}

export type WorkflowField = "workflow" | "main-workflow";

const nowhere: Span = { start: 0, end: 1 };

export class WorkflowPlaces {
  /** A place that applies to all tasks is looked up once. */
  readonly #general = new Map<WorkflowField, WorkflowPlace>();

  constructor(
    private readonly texts: { readonly plan: string; readonly config: string },
    private readonly settings: EffectiveSettings,
  ) {}

  of(field: WorkflowField, task: PlanTask): WorkflowPlace {
    const origin = this.settings[field === "workflow" ? "workflow" : "mainWorkflow"]?.origin;
    const own = task.fields.find(({ key }) => key === field);
    if (origin === "command line") return { source: origin, at: nowhere, setting: field };
    if (own) return { source: "plan", at: own.value };
    const place = this.#general.get(field) ?? this.#find(field, origin === "plan" ? "plan" : "config");
    this.#general.set(field, place);
    return place;
  }

  #find(field: WorkflowField, source: "plan" | "config"): WorkflowPlace {
    const at = source === "plan" ? this.#inPlan(field) : this.#inConfig(field);
    return { source, at: at ?? nowhere };
  }

  #inPlan(field: WorkflowField): Span | undefined {
    return readFrontMatter(this.texts.plan, new PlanFindings()).entries.find(({ key }) => key === field)
      ?.value;
  }

  #inConfig(field: WorkflowField): Span | undefined {
    const { config } = this.texts;
    const source = { prefix: "CONFIG", name: "the configuration", limitCode: "LIMIT_CONFIG" } as const;
    const whole = { start: config.startsWith("\ufeff") ? 1 : 0, end: config.length };
    const read = readYamlMap(config, whole, { source, findings: new PlanFindings() });
    return read?.pairs.find(({ key }) => plainKey(key) === field)?.value?.at;
  }
}
