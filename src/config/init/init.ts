/**
 * What `cox init` would write, based on the files at the root: a configuration with the project's own test command, what
 * git should ignore, and on request a first plan. Existing files are never touched.
 */

import { configPath } from "../file/load-config.ts";
import {
  findProjectCommands,
  type ProjectCommands,
  type ProjectFiles,
  tellingFiles,
} from "../trust/project-commands.ts";
import { initConfigText } from "./init-config.ts";

export interface InitProposal {
  readonly write: readonly { readonly path: string; readonly text: string }[];
  /** Existing files, left as they are. */
  readonly kept: readonly string[];
  readonly found: ProjectCommands;
}

const ignorePath = ".coxswain/.gitignore";
const planPath = "plan.md";

/** Files to read first. For lock files the text hardly matters; for files we would write, only whether they exist. */
export const initReads: readonly string[] = [...tellingFiles, configPath, ignorePath, planPath];

export function proposeInit({ seen, plan }: { seen: ProjectFiles; plan?: string }): InitProposal {
  const found = findProjectCommands(seen);
  const wanted = [
    { path: configPath, text: initConfigText(found) },
    { path: ignorePath, text: "runs/\nchangesets/\n" },
    ...(plan === undefined ? [] : [{ path: planPath, text: plan }]),
  ];
  return {
    write: wanted.filter(({ path }) => !seen.has(path)),
    kept: wanted.map(({ path }) => path).filter((path) => seen.has(path)),
    found,
  };
}
