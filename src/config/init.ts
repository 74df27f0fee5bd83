/**
 * What `cox init` would write, from the files that were seen at the root: the configuration with the project's own
 * test command, what git should not keep, and on demand a first plan. A file that is there is never touched.
 */
import { initConfigText } from "./init-config.ts";
import { configPath } from "./load-config.ts";
import { findProjectCommands, type ProjectCommands, type Seen, tellingFiles } from "./project-commands.ts";

export interface InitProposal {
  readonly write: readonly { readonly path: string; readonly text: string }[];
  /** There already, and left as they are. */
  readonly kept: readonly string[];
  readonly found: ProjectCommands;
}

const ignorePath = ".coxswain/.gitignore";
const planPath = "plan.md";

/** The templates there are, in the package's folder `templates`, as `NAME.md`. */
export const planTemplates = ["dev-setup", "build", "fix"] as const;

/** What to look for before asking; of lock files the text matters little, of those we would write only that they are there. */
export const initReads: readonly string[] = [...tellingFiles, configPath, ignorePath, planPath];

export function proposeInit({ seen, plan }: { seen: Seen; plan?: string }): InitProposal {
  const found = findProjectCommands(seen);
  const wished = [
    { path: configPath, text: initConfigText(found) },
    { path: ignorePath, text: "runs/\nchangesets/\n" },
    ...(plan === undefined ? [] : [{ path: planPath, text: plan }]),
  ];
  return {
    write: wished.filter(({ path }) => !seen.has(path)),
    kept: wished.map(({ path }) => path).filter((path) => seen.has(path)),
    found,
  };
}
