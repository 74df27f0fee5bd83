/** Loads the configuration of a folder from its only place, `.coxswain/config.yaml`. It may be missing. */
import { oneLine } from "../../std/printable.ts";
import type { Files } from "../../world/files/files.ts";
import { Tree } from "../../world/folders/tree.ts";
import { TreeError } from "../../world/folders/tree-error.ts";
import { type Config, type ConfigProblem, emptyConfig } from "./config.ts";
import { readConfig } from "./read-config.ts";

export const configPath = ".coxswain/config.yaml";

export interface LoadedConfig {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
  /** Missing if there is no file, or none that could be read. */
  readonly text?: string;
}

/** Far more than is parsed as YAML, so that an overlong file can be reported with its length. */
const bytesMax = 1024 * 1024;

export function loadConfig(files: Files, { root }: { root: string }): LoadedConfig {
  const tree = Tree.open(files, root);
  try {
    const read = tree.read(configPath, bytesMax);
    if (!read) return { config: emptyConfig, problems: [] };
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.bytes);
    const { config, problems } = readConfig(text);
    return { config, text, problems: problems.map((problem) => ({ ...problem, path: configPath })) };
  } catch (error) {
    return { config: emptyConfig, problems: [unreadable(error)] };
  } finally {
    tree.close();
  }
}

function unreadable(error: unknown): ConfigProblem {
  const place = { severity: "blocking", path: configPath, line: 1, column: 1, length: 1 } as const;
  if (error instanceof TreeError) {
    const { code, message, hint } = error.problem;
    return { ...place, code, message: `the configuration is not read: ${oneLine(message)}`, hint };
  }
  if (!(error instanceof TypeError)) throw error;
  const message = `${configPath} is not valid UTF-8 text`;
  return { ...place, code: "CONFIG_NOT_UTF8", message, hint: "Save it as UTF-8." };
}
