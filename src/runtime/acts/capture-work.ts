/**
 * Captures the files at a desk as a tree and has the policy judge them. Files that no tree should contain are reported.
 */
import type { Change, Contents, Image, Sha256 } from "../../change/change.ts";
import type { TreePath } from "../../change/path.ts";
import { type Confirmation, judgeChanges } from "../../change/policy/policy.ts";
import type { Captured, Desk } from "../../git/repository.ts";
import type { Task, Turn } from "../../kernel/state.ts";
import { counted } from "../../std/counted.ts";
import type { TreeId } from "../../std/object-id.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { shellWord } from "../../std/shell-word.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import type { TreeDifference } from "../../view/text/tree-difference.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { ActContext } from "../loop/act-context.ts";
import { rulesOf } from "./rules.ts";
import { runOf } from "./turn-desk.ts";

export interface CapturedWork {
  readonly tree: TreeId;
  readonly files: readonly string[];
  readonly refused: readonly Problem[];
  readonly confirmations: readonly Confirmation[];
  /** The whole change, to show to the person who is asked. */
  readonly held: TreeDifference;
}

interface CaptureInput {
  readonly context: ActContext;
  readonly task: Task;
  readonly turn: Turn;
  readonly desk: Desk;
}

export async function captureWork({ context, task, turn, desk }: CaptureInput): Promise<CapturedWork> {
  const { state, ports } = context;
  const { repository } = ports;
  const base = await repository.treeOf(task.desk?.base ?? state.tip);
  const captured = await repository.capture(desk, base);
  await repository.pin(runOf(state), `work-${task.facts.key}`, captured.tree);
  reportIgnored(context, turn, captured.ignored);
  for (const { code, message } of captured.meddled)
    context.submit({ command: "report", turn: turn.turn, code, message });
  const changes = [...captured.changes, ...linkChanges(captured)];
  const contents = contentsOf(captured);
  const judgement = judgeChanges(changes, {
    contents,
    before: beforeOf(changes, captured),
    names: captured.namesBefore,
    isRepository: () => false,
    rules: rulesOf(state, task),
  });
  const unfit = captured.unfit.map((one) => ({ ...one, hint: putBack }));
  return {
    tree: captured.tree,
    files: changes.map(({ path }) => path),
    refused: [
      ...unfit,
      ...judgement.refused.map((one) => ({ ...one, hint: `${one.hint} ${stillThere(one, changes)}` })),
      ...leftMarkers(changes, captured),
      ...planEdits(changes, context, task),
    ],
    confirmations: judgement.confirmations,
    held: captured,
  };
}

/** Removing a file that is in the tree would be another change that is refused. */
const putBack = "If it is new, remove it from your desk; otherwise restore it: git checkout HEAD -- PATH";

/**
 * A refused change stays at the desk. Unless the agent puts it back, it is refused again, whatever else the agent does.
 */
function stillThere({ path }: Problem, changes: readonly Change[]): string {
  const change = changes.find((one) => one.path === path);
  const again = "and will be refused again until it is gone";
  if (!change?.pre)
    return `It is still at your desk, ${again}: rm -- ${oneLine(shellWord(path ?? "PATH"), 500)}`;
  const restore = `git checkout HEAD -- ${oneLine(shellWord(change.path), 500)}`;
  return change.post
    ? `It is still changed at your desk, ${again}; restore it: ${restore}`
    : `It is still missing at your desk, ${again}; restore it: ${restore}`;
}

/** The policy sees a link as a file whose content is its target. */
function linkChanges({ links }: Captured): Change[] {
  return links.map(({ path, target }) => {
    const bytes = encodeUtf8(target ?? "");
    const image: Image = { sha256: sha256(bytes), size: bytes.length, mode: linkMode };
    return { path: path as TreePath, ...(target === undefined ? { pre: image } : { post: image }) };
  });
}

const linkMode = 0o120000;

function contentsOf(captured: Captured): Contents {
  const contents = new Map<Sha256, Uint8Array>();
  for (const { post } of captured.changes) if (post) contents.set(post.sha256, captured.bytes(post.sha256));
  for (const { target = "" } of captured.links) {
    const bytes = encodeUtf8(target);
    contents.set(sha256(bytes), bytes);
  }
  return contents;
}

function beforeOf(
  changes: readonly Change[],
  captured: Captured,
): (path: TreePath) => Uint8Array | undefined {
  const before = new Map(changes.map(({ path, pre }) => [path, pre]));
  return (path) => {
    const pre = before.get(path);
    return pre && pre.mode !== linkMode ? captured.bytes(pre.sha256) : undefined;
  };
}

/** Conflict markers of an unfinished merge. */
function leftMarkers(changes: readonly Change[], captured: Captured): Problem[] {
  return changes.flatMap(({ path, post }) => {
    if (!post || post.mode === linkMode) return [];
    const text = decodeUtf8(captured.bytes(post.sha256));
    if (!/^<{7} /m.test(text) || !/^>{7} /m.test(text)) return [];
    const message = `${oneLine(path)} still has conflict markers`;
    return [
      {
        code: "CONFLICT_MARKERS",
        path,
        message,
        hint: "Keep what both sides wanted and remove the markers.",
      },
    ];
  });
}

/** The run keeps using the plan that was approved. A task may edit the plan file only if its `writes` names that file. */
function planEdits(changes: readonly Change[], { state }: ActContext, { facts }: Task): Problem[] {
  const plan = state.run?.plan_file.replace(/^(\.\/)+/, "");
  return changes.flatMap(({ path }) => {
    if (path !== plan || facts.writes.includes(path)) return [];
    const message = `${oneLine(path)} is the plan of this run: only a person may change it`;
    const hint = "Restore it: git checkout HEAD -- PATH. Say in your reply what the plan should say instead.";
    return [{ code: "PLAN_PROTECTED", path, message, hint }];
  });
}

/** Ignored files are not part of the work. Checks that pass only because of them fail later; this report shows why. */
function reportIgnored(context: ActContext, { turn }: Turn, found: readonly string[]): void {
  // Carrying out a reply's operations leaves our own ledger at the desk; it is ignored too.
  const ignored = found.filter((path) => !path.startsWith(".coxswain/changesets/"));
  if (ignored.length === 0) return;
  const shown = ignored
    .slice(0, 5)
    .map((path) => oneLine(path, 80))
    .join(", ");
  const message = `${counted(ignored.length, "ignored file")} left at the desk, not part of the work: ${shown}`;
  context.submit({ command: "report", turn, code: "WORK_IGNORED", message });
}
