/**
 * Finds agents that are known to report their cost: they did so in their last reply of the newest run here in which they
 * worked, as the same program. No extra limit is asked for because of them.
 */
import { isCostKnown } from "../kernel/rules/run/known-cost.ts";
import type { Files } from "../world/files/files.ts";
import { RunFolder } from "./folder/run-folder.ts";
import { RunLook } from "./look-at-run.ts";

/** Each run means reading its log. */
const runsMax = 5;

/** `kinds` says what each agent is now. An agent that has become another program must report again first. */
export async function agentsThatReport(
  files: Files,
  { root, kinds }: { readonly root: string; readonly kinds: ReadonlyMap<string, string> },
): Promise<ReadonlySet<string>> {
  const found = new Map<string, boolean>();
  for (const run of RunFolder.list(files, root).slice(0, runsMax)) {
    const folder = RunFolder.open(files, root, run);
    if (!folder) continue;
    for (const [agent, reports] of await reportsIn(files, folder, kinds))
      if (!found.has(agent)) found.set(agent, reports);
  }
  return new Set([...found].flatMap(([agent, reports]) => (reports ? [agent] : [])));
}

/** Whether each agent's last reply in a run came with its full cost. */
export async function reportsIn(
  files: Files,
  folder: RunFolder,
  kinds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, boolean>> {
  const look = new RunLook(files, folder);
  const reports = new Map<string, boolean>();
  const agents = new Map<string, string>();
  let kindsThen: ReadonlyMap<string, string> = new Map();
  try {
    for (const { event, data } of await look.read()) {
      if (event === "run_started") kindsThen = new Map(data.agents?.map(({ name, kind }) => [name, kind]));
      if (event === "agent_dispatched") agents.set(data.turn, data.agent);
      const agent = event === "agent_complete" ? agents.get(data.turn) : undefined;
      if (event !== "agent_complete" || agent === undefined) continue;
      if (kindsThen.get(agent) === kinds.get(agent)) reports.set(agent, isCostKnown(data.spent));
    }
  } finally {
    look.close();
  }
  return reports;
}
