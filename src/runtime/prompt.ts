/** Gathers what a turn's prompt is made of: the plan's words, what came before, and for an auditor what is to be judged. */
import type { Commit, Desk, TreeId } from "../git/repository.ts";
import { brokenBase } from "../kernel/base-verify.ts";
import { evidenceKey, type Task, type Turn } from "../kernel/state.ts";
import { known } from "../kernel/tasks.ts";
import { assert } from "../std/assert.ts";
import { oneLine } from "../std/printable.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { differenceLines } from "../view/difference.ts";
import {
  auditorPrompt,
  continuationPrompt,
  developerPrompt,
  type PromptParts,
  type Upstream,
} from "../view/prompt.ts";
import type { Bridge } from "./bridge.ts";

type Work = NonNullable<Task["work"]>;

interface Prompting {
  readonly bridge: Bridge;
  readonly task: Task;
  /** Of the task, where there is some: what an auditor is to judge. */
  readonly work: Task["work"];
  readonly turn: Turn;
  readonly desk: Desk;
  /** It goes on with a conversation in which it was told everything else. */
  readonly isGoingOn: boolean;
}

export async function promptFor(prompting: Prompting): Promise<string> {
  const { bridge, task, work, turn, desk } = prompting;
  const { briefing, crew, turnServer } = bridge.hands;
  const { instructions, driver, way } = crew.member(turn.agent);
  const isDeskKept = desk.isKept && task.turnsOfAttempt + task.attempt > 2;
  const hasTools = turnServer !== undefined && driver.takesServer === true;
  const isProposal = way === "proposal";
  const takesEdits = isProposal && driver.takesEdits === true;
  if (prompting.isGoingOn)
    return continuationPrompt({
      ...{ task, role: turn.role, isDeskKept, takesEdits },
      ...{ fenceTag: turn.fenceTag, hasTools },
    });
  const broken = brokenBase(bridge.state);
  const parts: PromptParts = {
    plan: briefing,
    brief: briefing.task(task.facts.task),
    task,
    contract: briefing.contract,
    instructions,
    fenceTag: turn.fenceTag,
    hasTools,
    upstream: await upstreamOf(bridge, task),
    ...(broken && { brokenBase: broken }),
  };
  if (turn.role === "developer") return developerPrompt({ ...parts, isDeskKept, isProposal, takesEdits });
  assert(work, "a task that is audited has work");
  return auditorPrompt({
    ...parts,
    difference: await differenceOf(bridge, work),
    evidence: await evidenceOf(bridge, task, work),
  });
}

async function upstreamOf({ state, hands }: Bridge, { facts }: Task): Promise<Upstream[]> {
  const upstream: Upstream[] = [];
  for (const id of facts.depends_on) {
    const { facts: before, work, outputs } = known(state, id);
    const texts: { name: string; text: string }[] = [];
    for (const name of outputs) {
      const bytes = await hands.archive.find(name);
      texts.push({ name, text: bytes ? decodeUtf8(bytes) : "(not found)" });
    }
    const summary = work?.summary ?? "";
    upstream.push({ task: id, title: before.title, summary, files: work?.files ?? [], outputs: texts });
  }
  return upstream;
}

/** Longer ones are read at the desk. */
const linesMax = 2000;

async function differenceOf({ hands }: Bridge, work: Work): Promise<string> {
  const { repository } = hands;
  const from = await repository.treeOf(work.base as Commit);
  const { changes, links, bytes } = await repository.changes(from, work.tree as TreeId);
  const lines = changes.flatMap(({ path, pre, post }) =>
    differenceLines(
      { path, before: pre && bytes(pre.sha256), after: post && bytes(post.sha256) },
      Math.ceil(linesMax / changes.length),
    ),
  );
  for (const { path, target } of links)
    lines.push(
      target === undefined ? `link ${oneLine(path)} removed` : `link ${oneLine(path)} → ${oneLine(target)}`,
    );
  return ["````diff", ...lines, "````"].join("\n");
}

async function evidenceOf({ state, hands }: Bridge, { facts }: Task, { tree }: Work): Promise<string> {
  const evidence = state.evidence.get(evidenceKey(tree, facts.verify));
  if (!evidence) return "No verify commands are set: judge by the files at your desk.";
  const kept = await hands.archive.find(`evidence/${evidence.sha256}.json`);
  const lines = evidence.commands.map(({ command, exit }) => `- ${oneLine(command, 300)} → exit ${exit}`);
  const output = kept ? lastOutput(decodeUtf8(kept)) : "";
  return [`On tree ${tree}:`, ...lines, output].join("\n");
}

function lastOutput(evidence: string): string {
  const { commands } = JSON.parse(evidence) as { commands: { output: string }[] };
  const output = commands.at(-1)?.output ?? "";
  return output === "" ? "" : ["", "````text", output.slice(-4000), "````"].join("\n");
}
