/**
 * Gathers the parts of a turn's prompt: the text of the plan, the results of earlier tasks and, for an auditor, the work
 * to judge.
 */
import type { Desk } from "../../git/repository.ts";
import { brokenBase } from "../../kernel/rules/evidence/base-verify.ts";
import { taskOf } from "../../kernel/rules/tasks.ts";
import { evidenceKey, type Task, type Turn } from "../../kernel/state.ts";
import { assert } from "../../std/assert.ts";
import { oneLine } from "../../std/printable.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import {
  auditorPrompt,
  continuationPrompt,
  developerPrompt,
  type PromptParts,
  type Upstream,
} from "../../view/prompt/prompt.ts";
import { differenceLines } from "../../view/text/difference.ts";
import type { ActContext } from "../loop/act-context.ts";

type Work = NonNullable<Task["work"]>;

interface PromptInput {
  readonly context: ActContext;
  readonly task: Task;
  /** The task's work, if there is any: what an auditor judges. */
  readonly work: Task["work"];
  readonly turn: Turn;
  readonly desk: Desk;
  /** The turn resumes a conversation in which the agent was already given everything else. */
  readonly isResumed: boolean;
}

export async function promptFor(prompting: PromptInput): Promise<string> {
  const { context, task, work, turn, desk } = prompting;
  const { briefing, crew, turnServer } = context.ports;
  const { instructions, driver, mode } = crew.member(turn.agent);
  const isDeskKept = desk.isKept && task.turnsOfAttempt + task.attempt > 2;
  const hasTools = turnServer !== undefined && driver.takesServer === true;
  const isProposal = mode === "proposal";
  const takesEdits = isProposal && driver.takesEdits === true;
  if (prompting.isResumed)
    return continuationPrompt({
      ...{ task, role: turn.role, isDeskKept, takesEdits },
      ...{ fenceTag: turn.fenceTag, hasTools },
    });
  const broken = brokenBase(context.state);
  const parts: PromptParts = {
    plan: briefing,
    brief: briefing.task(task.facts.task),
    task,
    contract: briefing.contract,
    instructions,
    fenceTag: turn.fenceTag,
    hasTools,
    upstream: await upstreamOf(context, task),
    ...(broken && { brokenBase: broken }),
  };
  if (turn.role === "developer") return developerPrompt({ ...parts, isDeskKept, isProposal, takesEdits });
  assert(work, "a task that is audited has work");
  return auditorPrompt({
    ...parts,
    difference: await differenceOf(context, work),
    evidence: await evidenceOf(context, task, work),
  });
}

async function upstreamOf({ state, ports }: ActContext, { facts }: Task): Promise<Upstream[]> {
  const upstream: Upstream[] = [];
  for (const id of facts.depends_on) {
    const { facts: before, work, outputs } = taskOf(state, id);
    const texts: { name: string; text: string }[] = [];
    for (const name of outputs) {
      const bytes = await ports.archive.find(name);
      texts.push({ name, text: bytes ? decodeUtf8(bytes) : "(not found)" });
    }
    const summary = work?.summary ?? "";
    upstream.push({ task: id, title: before.title, summary, files: work?.files ?? [], outputs: texts });
  }
  return upstream;
}

/** The rest of a longer diff is read at the desk. */
const linesMax = 2000;

async function differenceOf({ ports }: ActContext, work: Work): Promise<string> {
  const { repository } = ports;
  const from = await repository.treeOf(work.base);
  const { changes, links, bytes } = await repository.changes(from, work.tree);
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

async function evidenceOf({ state, ports }: ActContext, { facts }: Task, { tree }: Work): Promise<string> {
  const evidence = state.evidence.get(evidenceKey(tree, facts.verify));
  if (!evidence) return "There are no verify commands: judge by the files at your desk.";
  const kept = await ports.archive.find(`evidence/${evidence.sha256}.json`);
  const lines = evidence.commands.map(({ command, exit }) => `- ${oneLine(command, 300)} → exit ${exit}`);
  const output = kept ? lastOutput(decodeUtf8(kept)) : "";
  return [`On tree ${tree}:`, ...lines, output].join("\n");
}

function lastOutput(evidence: string): string {
  const { commands } = JSON.parse(evidence) as { commands: { output: string }[] };
  const output = commands.at(-1)?.output ?? "";
  return output === "" ? "" : ["", "````text", output.slice(-4000), "````"].join("\n");
}
