/** Workflows: pages that tell how work is done, by name. What the project has of a name comes before what we ship. */
import type { Problem } from "../std/problem.ts";

export interface Workflow {
  /** The name of its file, without `.md`. */
  readonly name: string;
  readonly kind: "workflow" | "main-workflow";
  readonly title: string;
  /** When to use it, in a sentence. */
  readonly description: string;
  /** The page, without its front matter. */
  readonly text: string;
  readonly source: "project" | "shipped";
}

export interface Workflows {
  /** Those of a project first hide those of ours. */
  list(): readonly Workflow[];
  /** For `Main-Workflow`: only a main workflow. For `Workflow`: any. The problem lists the names there are. */
  find(
    field: "main-workflow" | "workflow",
    name: string,
  ): { readonly workflow: Workflow } | { readonly problem: Problem };
}
