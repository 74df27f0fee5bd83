/** Where the name of a task's workflow was written: on the task, at the top of the plan, or in the configuration. */
import type { EffectiveSettings } from "../config/effective-settings.ts";
import { plainKey } from "../plan/field.ts";
import { readFrontMatter } from "../plan/front-matter.ts";
import type { Span, Task } from "../plan/plan.ts";
import { Findings } from "../plan/problem.ts";
import { readYamlMap } from "../plan/yaml-tree.ts";

export interface WorkflowPlace {
  readonly source: "plan" | "config";
  readonly at: Span;
}

export type WorkflowField = "workflow" | "main-workflow";

const nowhere: Span = { start: 0, end: 1 };

export class WorkflowPlaces {
  /** What holds for all tasks stands in one place: it is looked for once. */
  readonly #general = new Map<WorkflowField, WorkflowPlace>();

  constructor(
    private readonly texts: { readonly plan: string; readonly config: string },
    private readonly settings: EffectiveSettings,
  ) {}

  of(field: WorkflowField, task: Task): WorkflowPlace {
    const origin = this.settings[field === "workflow" ? "workflow" : "mainWorkflow"]?.origin;
    const own = task.fields.find(({ key }) => key === field);
    if (own && origin !== "command line") return { source: "plan", at: own.value };
    const place = this.#general.get(field) ?? this.#find(field, origin === "plan" ? "plan" : "config");
    this.#general.set(field, place);
    return place;
  }

  #find(field: WorkflowField, source: WorkflowPlace["source"]): WorkflowPlace {
    const at = source === "plan" ? this.#inPlan(field) : this.#inConfig(field);
    return { source, at: at ?? nowhere };
  }

  #inPlan(field: WorkflowField): Span | undefined {
    return readFrontMatter(this.texts.plan, new Findings()).entries.find(({ key }) => key === field)?.value;
  }

  #inConfig(field: WorkflowField): Span | undefined {
    const { config } = this.texts;
    const source = { prefix: "CONFIG", name: "the configuration", limitCode: "LIMIT_CONFIG" } as const;
    const whole = { start: config.startsWith("\ufeff") ? 1 : 0, end: config.length };
    const read = readYamlMap(config, whole, { source, findings: new Findings() });
    return read?.pairs.find(({ key }) => plainKey(key) === field)?.value?.at;
  }
}
