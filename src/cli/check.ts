/**
 * `cox check PLAN.md`: what is wrong with a plan, and with the configuration it would be run with, each with its line
 * and a fix, and the plan at a glance.
 */
import type { CrewProblem } from "../config/crew.ts";
import { defaultSettings } from "../config/default-settings.ts";
import { effectiveSettings } from "../config/effective-settings.ts";
import { configPath, loadConfig } from "../config/load-config.ts";
import { loadProfiles } from "../config/profiles.ts";
import { resolveCrew } from "../config/resolve-crew.ts";
import { surroundingsOf } from "../config/surroundings.ts";
import { parsePlan } from "../plan/parse.ts";
import { pictureOf } from "../plan/picture.ts";
import { type PlanProblem, placedProblems } from "../plan/problem.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { size } from "../std/size.ts";
import { failureDocument } from "../view/document.ts";
import { type CheckedPlan, planCheckDocument, planCheckText } from "../view/plan-check.ts";
import { problemsText } from "../view/problems.ts";
import type { Files } from "../world/files.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { readInput } from "./input.ts";

/** Where our own profiles lie, and the drivers that this version has. */
export interface CheckMeans {
  readonly packageRoot: string;
  readonly drivers: readonly string[];
}

export async function check(door: Door, means: CheckMeans): Promise<ExitCode> {
  const { words, values, stdin, signal, terminal, files } = door;
  const [name] = words;
  const reading = name === undefined ? { problem: unnamed } : await readPlan(name, stdin, signal);
  signal.throwIfAborted();
  if ("problem" in reading) {
    const { problem } = reading;
    if (terminal.json) terminal.print(`${JSON.stringify(failureDocument("check", [problem]))}\n`);
    else terminal.notice(problemsText([problem], "error", terminal.noticePaint));
    return exit.usage;
  }
  const place = { ...means, root: values.one("root") ?? "." };
  const checked = checkTogether({ text: reading.text, name: name ?? "" }, files, place);
  if (terminal.json) terminal.print(`${JSON.stringify(planCheckDocument(checked))}\n`);
  else terminal.print(planCheckText(checked, terminal.paint));
  const problems = [checked, ...(checked.around ?? [])].flatMap((file) => file.problems);
  return problems.some(({ severity }) => severity === "blocking") ? exit.refused : exit.done;
}

/** A plan with the configuration and the profiles of the folder it would be run in. */
function checkTogether(
  { text, name }: { text: string; name: string },
  files: Files,
  { root, packageRoot, drivers }: CheckMeans & { readonly root: string },
): CheckedPlan {
  const loaded = loadConfig(files, { root });
  const { profiles, problems: profileProblems } = loadProfiles(files, { root, packageRoot });
  const { config } = loaded;
  // A plan is also looked at where nobody runs it: agents are judged where a configuration says who they are.
  const isConfigured = loaded.text !== undefined;
  const parsed = parsePlan(text, isConfigured ? surroundingsOf({ config, profiles }) : {});
  const settings = effectiveSettings({
    defaults: defaultSettings,
    config: config.settings,
    plan: parsed.plan.settings,
  });
  const crew = resolveCrew({
    plan: parsed.plan,
    config,
    profiles,
    settings,
    ...(isConfigured ? { drivers } : {}),
  });
  const told = isConfigured ? crew.problems : crew.problems.filter(({ code }) => code === "ROLE_CONFLICT");
  const of = (source: CrewProblem["source"]) => told.filter((problem) => problem.source === source);
  const ofConfig = placedProblems(loaded.text ?? "", of("config")).map((problem) => ({
    ...problem,
    path: configPath,
  }));
  return {
    plan: parsed.plan,
    text,
    name,
    problems: inOrder([...parsed.problems, ...placedProblems(text, of("plan"))]),
    picture: pictureOf(parsed.plan),
    around: [
      { name: configPath, text: loaded.text ?? "", problems: inOrder([...loaded.problems, ...ofConfig]) },
      ...profileProblems.map((problem) => ({ name: problem.path ?? "", text: "", problems: [problem] })),
    ],
    notes: isConfigured ? crew.notes : [],
  };
}

function inOrder(problems: readonly PlanProblem[]): PlanProblem[] {
  return problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
}

/** A hundred thousand tasks of half a page each. */
const planBytesMax = 64 * 1024 * 1024;

const unnamed: Problem = {
  code: "USAGE",
  message: "no plan was named",
  hint: "Type: cox check PLAN.md",
};

async function readPlan(
  name: string,
  stdin: Door["stdin"],
  signal: AbortSignal,
): Promise<{ text: string } | { problem: Problem }> {
  const input = await readInput(name, stdin, signal, {
    what: "plan",
    hint: "Name a file that holds a plan: cox check plan.md",
  });
  if ("problem" in input) return input;
  if (input.bytes.length > planBytesMax) {
    const message = `${oneLine(name)} is larger than ${size(planBytesMax)}`;
    return { problem: { code: "LIMIT_PLAN", path: name, message, hint: "Split it into several plans." } };
  }
  try {
    // The byte order mark stays: offsets and edits are about the text as it is on disk.
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input.bytes) };
  } catch {
    const message = `${oneLine(name)} is not valid UTF-8 text`;
    return { problem: { code: "PLAN_NOT_UTF8", path: name, message, hint: "Save the plan as UTF-8." } };
  }
}
