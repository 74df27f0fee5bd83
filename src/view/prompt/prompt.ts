/**
 * The prompts for agents. Anything agents said earlier is included in limited pieces, without invisible characters, and
 * marked with whose words it is. The tag of the reply's fence comes last and appears nowhere else.
 */
import type { Finding, RecordedNote, Role } from "../../kernel/event.ts";
import type { Task } from "../../kernel/state.ts";
import { sanitiseForPrompt } from "../../std/sanitise-for-prompt.ts";
import { attachmentSections, type PromptAttachments } from "./attachment-sections.ts";

/** What the plan says about one task. */
export interface TaskBrief {
  readonly text: string;
  readonly criteria: readonly string[];
  /** Missing for a task that names no workflow and refers to no document. */
  readonly attached?: PromptAttachments;
}

export interface PromptParts {
  readonly plan: { readonly title: string; readonly overview: string };
  readonly brief: TaskBrief;
  readonly task: Task;
  readonly contract: string;
  readonly instructions: string;
  readonly fenceTag: string;
  /** The agent can hand in its reply through tools. */
  readonly hasTools: boolean;
  /** The results of the tasks it depends on. */
  readonly upstream: readonly Upstream[];
  /** The verify commands failed at the commit that the run started from, and have not passed since. */
  readonly brokenBase?: { readonly base: string; readonly why: string };
}

export interface Upstream {
  readonly task: string;
  readonly title: string;
  readonly summary: string;
  readonly files: readonly string[];
  readonly outputs: readonly { readonly name: string; readonly text: string }[];
}

export interface DeveloperParts extends PromptParts {
  /** It does not change files itself. */
  readonly isProposal: boolean;
  /** If it tries to edit files anyway, the edits are recorded as operations. */
  readonly takesEdits?: boolean;
  /** An earlier turn of this task left its work at the desk. */
  readonly isDeskKept: boolean;
}

export interface AuditParts extends PromptParts {
  readonly difference: string;
  readonly evidence: string;
}

export function developerPrompt(parts: DeveloperParts): string {
  const { task } = parts;
  return joined([
    `# Your task: ${task.facts.title}`,
    ids(task),
    ...taskSections(parts),
    section("What to put right", task.feedback.map(feedbackItem).join("\n")),
    section("What is at your desk", deskWords(parts)),
    section("Who you are", parts.instructions),
    section("How we work together", parts.contract),
    toolWords(parts, developerTools),
    fenceWords(parts.fenceTag),
  ]);
}

function deskWords({ isDeskKept, isProposal, takesEdits = false }: DeveloperParts): string {
  const desk = "Your working folder is your desk: a checkout of your own";
  const begun = `${desk}. It already has the work of an earlier turn of this task; look at it before you continue.`;
  const fresh = `${desk}, at the newest commit of the run.`;
  const how = isProposal
    ? `You cannot write to it: answer with operations, which are carried out there.${takesEdits ? editWords : ""}`
    : "Change files there, or answer with operations.";
  return isDeskKept && !isProposal ? begun : `${isDeskKept ? begun : fresh} ${how}`;
}

const editWords = `

Instead of naming operations you can edit with your own tool (apply_patch), as usual. Each edit is recorded and then answered as rejected by the user: that is expected, and no reason to stop or to try another way. No file changes while you work, so every edit applies to the files as they are now: edits of different lines add up; an edit that changes lines of an earlier one, or adds at the same place, replaces it there. All of them are carried out when your turn is over. If you also name operations, in your reply or through tools, only those count, and none of your edits.`;

export function auditorPrompt(parts: AuditParts): string {
  const { task } = parts;
  return joined([
    `# Judge this task: ${task.facts.title}`,
    ids(task),
    ...taskSections(parts),
    section("What the developer says", quoted(task.work?.summary ?? "", 4000)),
    section("What the developer noted", (task.work?.notes ?? []).map(noteItem).join("\n\n")),
    section("What was verified, by the coordinator itself", parts.evidence),
    section("What was changed", parts.difference),
    section("What to put right in your reply", task.feedback.map(feedbackItem).join("\n")),
    section("Who you are", parts.instructions),
    toolWords(parts, auditorTools),
    fenceWords(parts.fenceTag),
  ]);
}

type ContinuationParts = Pick<
  DeveloperParts,
  "task" | "isDeskKept" | "takesEdits" | "fenceTag" | "hasTools"
> & {
  readonly role: Role;
};

/**
 * For an agent that resumes a conversation: only what is new, plus the tools, because its program may have dropped them
 * when it compacted the conversation.
 */
export function continuationPrompt(parts: ContinuationParts): string {
  const { task, role, isDeskKept, takesEdits = false, fenceTag } = parts;
  const { facts, feedback, guidance } = task;
  const isDeveloper = role === "developer";
  return joined([
    `# ${isDeveloper ? "Go on with your task" : "Go on judging this task"}: ${facts.title}`,
    ids(task),
    section("What a person decided", decided(task)),
    section("What to put right", feedback.map(feedbackItem).join("\n")),
    feedback.length + guidance.length > 0
      ? ""
      : "Your last turn ended before you replied. Continue where you were.",
    isDeveloper
      ? section(
          "What is at your desk",
          `${isDeskKept ? keptDesk : changedDesk}${takesEdits ? lostEdits : ""}`,
        )
      : "",
    toolWords(parts, isDeveloper ? developerTools : auditorTools),
    fenceWords(fenceTag),
  ]);
}

const keptDesk =
  "Your working folder is as you left it. Everything you were told about the task, and about how we work together, still applies.";
const changedDesk =
  "Your working folder was created again since your last turn: look at the files before you continue. Everything you were told about the task, and about how we work together, still applies.";

const lostEdits =
  " Edits of an earlier turn that are not in the files were not carried out, and never will be: make them again if you still want them.";

function ids({ facts, attempt }: Task): string {
  return `Task id: ${facts.task}. Attempt ${attempt}.`;
}

function taskSections({ plan, brief, task, upstream, brokenBase }: PromptParts): string[] {
  const { writes, deletes } = task.facts;
  const limits = [
    ...(writes.length > 0 ? [`You may change only: ${writes.join(", ")}`] : []),
    ...(deletes.length > 0 ? [`You may delete: ${deletes.join(", ")}`] : []),
  ];
  return [
    section("What to do", brief.text),
    section("It is done when", brief.criteria.map((one) => `- ${one}`).join("\n")),
    section("Limits", limits.join("\n")),
    section(`The plan it belongs to: ${plan.title}`, plan.overview),
    ...(brief.attached
      ? attachmentSections(brief.attached).map(([title, text]) => section(title, text))
      : []),
    section("What the tasks before it hand on", upstream.map(upstreamItem).join("\n\n")),
    section("What a person decided", decided(task)),
    section("What fails already", brokenBase ? brokenWords(brokenBase) : ""),
  ];
}

function brokenWords({ base, why }: NonNullable<PromptParts["brokenBase"]>): string {
  const words = `The verify commands failed at the commit ${base.slice(0, 12)}, at which this run began, before any agent did anything. Your work is judged by them all the same: fix what belongs to your task; if what fails does not belong to it, say so in your reply.`;
  return `${words}\n\n${quoted(why, 4000)}`;
}

function decided({ guidance }: Task): string {
  return guidance
    .map(({ question, answer }) => `${quoted(question, 4000)}\n\nAnswer: ${answer}`)
    .join("\n\n");
}

/** A note and how it was settled: by its agent, or by a person's decision. */
function noteItem({ description, status, category, resolution }: RecordedNote): string {
  const how = status === "resolved" ? "settled by the developer" : "a person was asked; see what was decided";
  const of = category === undefined ? "" : ` (${category})`;
  return quoted(`${description}${of}\n${how}${resolution === undefined ? "" : `: ${resolution}`}`, noteMax);
}

/** More than anybody writes in a note and its resolution. */
const noteMax = 4_500;

function upstreamItem({ task, title, summary, files, outputs }: Upstream): string {
  return [
    `### ${title} (${task})`,
    quoted(summary, 2000),
    files.length > 0 ? `Files: ${files.slice(0, 50).join(", ")}` : "",
    ...outputs.map(({ name, text }) => `${name}:\n\n${quoted(text, 8000)}`),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function feedbackItem({ code, message, hint, path }: Finding): string {
  const where = path === undefined ? "" : ` (${path})`;
  const what = sanitiseForPrompt(message, { charactersMax: 6000 }).text;
  return `- ${code}${where}: ${what}${hint === undefined ? "" : `\n  → ${hint}`}`;
}

/** Other people's words are data, and are marked as such. */
function quoted(text: string, charactersMax: number): string {
  const { text: clean, isCut } = sanitiseForPrompt(text.trim(), { charactersMax });
  const cut = isCut ? "\n> … (cut)" : "";
  return clean === "" ? "" : `${clean.replace(/^/gm, "> ")}${cut}`;
}

function section(title: string, text: string): string {
  return text.trim() === "" ? "" : `## ${title}\n\n${text.trim()}`;
}

/** Empty if there are no tools. */
function toolWords({ hasTools }: Pick<PromptParts, "hasTools">, tools: string): string {
  const words = `You can hand in your reply through the tools of the MCP server "turn": ${tools}. They say at once what is wrong with it, so that you can correct it. What they accept counts, and needs no block.`;
  return section("Tools for your reply", hasTools ? words : "");
}

const developerTools = "propose_operations for changes to files, submit_reply to finish";
const auditorTools = "submit_reply for your judgement";

function fenceWords(tag: string): string {
  return `## Your reply

End with one JSON object in a fenced block that begins with \`\`\`${tag} (that tag instead of json). A block with this tag is the one that counts.`;
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
