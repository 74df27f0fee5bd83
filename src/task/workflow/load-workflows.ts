/**
 * Loads workflows: the project's own in `.coxswain/workflows` and `.coxswain/main-workflows` take precedence over those
 * we ship. Each call reads the project's folders again, so pages can be written while a server runs.
 */
import { closestName } from "../../std/closest-name.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Files } from "../../world/files/files.ts";
import { type MarkdownFile, MarkdownFolder } from "../../world/folders/markdown-folder.ts";
import { type ReadWorkflow, readWorkflow } from "./read-workflow.ts";
import type { Workflow, Workflows } from "./workflows.ts";

export interface LoadedWorkflows extends Workflows {
  /** What is wrong with files that should be workflows. */
  problems(): readonly Problem[];
}

/** `packageRoot` is where our own package is installed; it has the folders `workflows` and `main-workflows`. */
export function loadWorkflows(
  files: Files,
  { root, packageRoot }: { root: string; packageRoot: string },
): LoadedWorkflows {
  const shelves = [
    new Shelf(files, { root, source: "project", kind: "main-workflow" }),
    new Shelf(files, { root, source: "project", kind: "workflow" }),
    new Shelf(files, { root: packageRoot, source: "shipped", kind: "main-workflow" }),
    new Shelf(files, { root: packageRoot, source: "shipped", kind: "workflow" }),
  ];
  const list = () => withoutHidden(shelves.flatMap((shelf) => shelf.look().workflows));
  return {
    list,
    problems: () => shelves.flatMap((shelf) => shelf.look().problems),
    find(field, name) {
      // If both kinds have the name, use the one for a single task.
      const kinds = field === "workflow" ? (["workflow", "main-workflow"] as const) : [field];
      for (const kind of kinds) {
        const workflow = firstOf(shelves, (shelf) => (shelf.kind === kind ? shelf.find(name) : undefined));
        if (workflow) return { workflow };
      }
      return { problem: unknown({ field, name, all: list() }) };
    },
  };
}

interface Place extends Pick<Workflow, "kind" | "source"> {
  readonly root: string;
}

/** One folder of workflows. A page is read again only if its file changed; a page that we ship is read once. */
class Shelf {
  readonly #folder: MarkdownFolder;
  readonly #read = new WeakMap<MarkdownFile, ReadWorkflow>();
  readonly #shipped = new Map<string, Workflow>();

  constructor(
    files: Files,
    private readonly place: Place,
  ) {
    const folder = `${place.source === "project" ? ".coxswain/" : ""}${place.kind}s`;
    this.#folder = new MarkdownFolder(files, { root: place.root, folder });
  }

  get kind(): Workflow["kind"] {
    return this.place.kind;
  }

  find(name: string): Workflow | undefined {
    const shipped = this.#shipped.get(name);
    if (shipped) return shipped;
    const file = this.#folder.find(name);
    const workflow = file && this.#readOnce(file).workflow;
    if (workflow?.source === "shipped") this.#shipped.set(name, workflow);
    return workflow;
  }

  look(): { readonly workflows: readonly Workflow[]; readonly problems: readonly Problem[] } {
    const { files, problems } = this.#folder.look();
    const read = files.map((file) => this.#readOnce(file));
    return {
      workflows: read.flatMap(({ workflow }) => workflow ?? []),
      problems: [...problems, ...read.flatMap((one) => one.problems)],
    };
  }

  #readOnce(file: MarkdownFile): ReadWorkflow {
    const read = this.#read.get(file) ?? readWorkflow(file, this.place);
    this.#read.set(file, read);
    return read;
  }
}

function firstOf<One, Found>(many: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of many) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Ordered by precedence: for each kind and name, the first counts. */
function withoutHidden(workflows: readonly Workflow[]): Workflow[] {
  const byName = new Map<string, Workflow>();
  for (const workflow of workflows) {
    const key = `${workflow.kind}/${workflow.name}`;
    if (!byName.has(key)) byName.set(key, workflow);
  }
  return [...byName.values()];
}

interface Sought {
  readonly field: "main-workflow" | "workflow";
  readonly name: string;
  readonly all: readonly Workflow[];
}

const namesMax = 40;

function unknown({ field, name, all }: Sought): Problem {
  const what = field === "main-workflow" ? "main workflow" : "workflow";
  const fit = field === "workflow" ? all : all.filter(({ kind }) => kind === field);
  const names = [...new Set(fit.map((one) => one.name))];
  const isOther = all.some((one) => one.name === name);
  const message = isOther
    ? `${quote(name, 80)} is a workflow for a single task, not a main workflow`
    : `there is no ${what} ${quote(name, 80)}`;
  const near = closestName(name, names);
  const more = names.length > namesMax ? `, and ${names.length - namesMax} more` : "";
  const hint = [
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    `There are: ${names.slice(0, namesMax).join(", ")}${more}.`,
    ...(isOther ? ["Write it as Workflow instead of Main-Workflow."] : []),
    `Your own is a page .coxswain/${field}s/NAME.md.`,
  ];
  return { code: "WORKFLOW_UNKNOWN", field, message, hint: hint.join(" ") };
}
