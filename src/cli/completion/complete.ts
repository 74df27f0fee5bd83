/**
 * `cox complete -- WORD…`: lists completions of the last word, for the shell scripts. It only reads. If anything goes
 * wrong it prints nothing, because somebody is in the middle of typing.
 *
 * It prints names that others chose. A name that could act on a terminal or break a line is left out. The scripts quote
 * the names they insert, so that the shell does not run them.
 */
import { resolve } from "node:path";
import { loadProfiles } from "../../config/crew/profiles.ts";
import { loadConfig } from "../../config/file/load-config.ts";
import { surroundingsOf } from "../../config/trust/surroundings.ts";
import { parsePlan } from "../../plan/read/parse.ts";
import { RunFolder } from "../../runtime/folder/run-folder.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { RunLook } from "../../runtime/look-at-run.ts";
import { chooseRun } from "../../runtime/start/choose-run.ts";
import { oneLine } from "../../std/printable.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { loadWorkflows } from "../../task/workflow/load-workflows.ts";
import { openQuestions } from "../../view/questions.ts";
import { cutTo } from "../../view/text/width.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import {
  type CompletionCandidate,
  type CompletionKind,
  type CompletionRequest,
  completeWords,
} from "./complete-words.ts";

/** The folder of our own profiles, and the drivers that can be tried as agents. */
export interface CompleteOptions {
  readonly packageRoot: string;
  readonly drivers: readonly string[];
}

export async function completeCommand(door: CommandContext, options: CompleteOptions): Promise<ExitCode> {
  try {
    const wanted = completeWords(door.words);
    const text = await answer(door, options, wanted);
    door.terminal.print(text);
  } catch {
    // Then there are no completions.
  }
  return exit.done;
}

/** Kinds that the shell completes better itself: it knows how to finish and quote a path. */
const ofShell: Partial<Record<CompletionKind, string>> = { plan: "plans", file: "files", folder: "folders" };

async function answer(
  door: CommandContext,
  options: CompleteOptions,
  wanted: CompletionRequest,
): Promise<string> {
  const { candidates, kinds, prefix } = wanted;
  const paths = kinds.flatMap((kind) => ofShell[kind] ?? []);
  if (paths[0] !== undefined) return `${paths[0]}\n`;
  const lookedUp = await Promise.all(kinds.map((kind) => lookUp(kind, door, options, wanted)));
  const current = door.words.at(-1) ?? "";
  const begins = current === "=" ? prefix : current.startsWith(prefix) ? current : `${prefix}${current}`;
  const rows = [...candidates, ...lookedUp.flat()]
    .map(({ value, text }) => ({ value: `${prefix}${value}`, text: cutTo(oneLine(text, 200), 80) }))
    .filter(({ value }) => value.startsWith(begins) && oneLine(value, 500) === value && value !== "")
    .map(({ value, text }) => `${value}${text === "" ? "" : `\t${text}`}\n`);
  return `words\n${rows.join("")}`;
}

async function lookUp(
  kind: CompletionKind,
  door: CommandContext,
  { packageRoot, drivers }: CompleteOptions,
  { given }: CompletionRequest,
): Promise<CompletionCandidate[]> {
  const { files, clock } = door;
  const root = runsRoot(files, resolve(given.get("directory") ?? ".", given.get("root") ?? "."));
  const named = (values: readonly string[]) => values.map((value) => ({ value, text: "" }));
  switch (kind) {
    case "run":
      return named(RunFolder.list(files, root));
    case "task":
      return withRun(door, root, given.get("run"), async (folder) => {
        const text = folder.read("plan.md");
        const tasks = text ? parsePlan(decodeUtf8(text)).plan.tasks : [];
        return tasks.map(({ id, title }) => ({ value: id, text: title }));
      });
    case "question":
      return withRun(door, root, given.get("run"), async (folder) => {
        const look = new RunLook(files, folder);
        await look.read();
        const { state, now } = look.seen(clock.now());
        return openQuestions(state, now).map(({ question, text }) => ({ value: question, text }));
      });
    case "agent": {
      const { config } = loadConfig(files, { root });
      const { profiles } = loadProfiles(files, { root, packageRoot });
      return named(surroundingsOf({ config, profiles }).agents ?? []);
    }
    case "driver":
      return named(drivers);
    case "workflow":
      return loadWorkflows(files, { root, packageRoot })
        .list()
        .map(({ name, description }) => ({ value: name, text: description }));
    default:
      return [];
  }
}

async function withRun(
  { files }: CommandContext,
  root: string,
  run: string | undefined,
  look: (folder: RunFolder) => Promise<CompletionCandidate[]>,
): Promise<CompletionCandidate[]> {
  const chosen = chooseRun(files, root, run);
  if ("problem" in chosen) return [];
  try {
    return await look(chosen.folder);
  } finally {
    chosen.folder.close();
  }
}
