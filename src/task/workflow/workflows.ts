/**
 * Workflows: named pages on how work is done. A project's page takes precedence over a shipped one of the same name.
 */
import type { Problem } from "../../std/problem.ts";

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
  /** A project's workflows come first and hide ours of the same name. */
  list(): readonly Workflow[];
  /** For `Main-Workflow`, finds only main workflows; for `Workflow`, any. The problem lists the available names. */
  find(
    field: "main-workflow" | "workflow",
    name: string,
  ): { readonly workflow: Workflow } | { readonly problem: Problem };
}
