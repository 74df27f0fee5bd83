/** What stands at a desk, as a tree, judged by the policy; what no tree should hold is named. */
import type { Change, Contents, Image, Sha256 } from "../change/change.ts";
import type { TreePath } from "../change/path.ts";
import { type Confirmation, judge } from "../change/policy.ts";
import type { Captured, Commit, Desk, TreeId } from "../git/repository.ts";
import type { Task, Turn } from "../kernel/state.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { shellWord } from "../std/shell-word.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { TreeDifference } from "../view/tree-difference.ts";
import { sha256 } from "../world/hash.ts";
import type { Bridge } from "./bridge.ts";
import { rulesOf } from "./rules.ts";
import { runOf } from "./turn-desk.ts";

export interface CapturedWork {
  readonly tree: TreeId;
  readonly files: readonly string[];
  readonly refused: readonly Problem[];
  readonly confirmations: readonly Confirmation[];
  /** All of it, for whoever is asked. */
  readonly held: TreeDifference;
}

interface Capturing {
  readonly bridge: Bridge;
  readonly task: Task;
  readonly turn: Turn;
  readonly desk: Desk;
}

export async function captureWork({ bridge, task, turn, desk }: Capturing): Promise<CapturedWork> {
  const { state, hands } = bridge;
  const { repository } = hands;
  const base = await repository.treeOf((task.desk?.base ?? state.tip) as Commit);
  const captured = await repository.capture(desk, base);
  await repository.pin(runOf(state), `work-${task.facts.key}`, captured.tree);
  reportIgnored(bridge, turn, captured.ignored);
  for (const { code, message } of captured.meddled)
    bridge.submit({ command: "report", turn: turn.turn, code, message });
  const changes = [...captured.changes, ...linkChanges(captured)];
  const contents = contentsOf(captured);
  const judgement = judge(changes, {
    contents,
    before: beforeOf(changes, captured),
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
      ...planEdits(changes, bridge, task),
    ],
    confirmations: judgement.confirmations,
    held: captured,
  };
}

/** To remove what the tree has would be one more change that is not taken. */
const putBack = "Remove it from your desk if it is new; else put it back: git checkout HEAD -- PATH";

/** What was refused is not taken away: whoever does not put it back is refused for it again, whatever else they do. */
function stillThere({ path }: Problem, changes: readonly Change[]): string {
  const change = changes.find((one) => one.path === path);
  const again = "and is refused again as long as it is";
  if (!change?.pre)
    return `It still stands at your desk, ${again}: rm -- ${oneLine(shellWord(path ?? "PATH"), 500)}`;
  const restore = `git checkout HEAD -- ${oneLine(shellWord(change.path), 500)}`;
  return change.post
    ? `It is still changed at your desk, ${again}; put it back: ${restore}`
    : `It is still missing at your desk, ${again}; put it back: ${restore}`;
}

/** To the policy a link is a file that says where it points. */
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

/** A merge that nobody finished. */
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

/** The run goes on with the plan that was approved; a task that is to write another says so in the plan. */
function planEdits(changes: readonly Change[], { state }: Bridge, { facts }: Task): Problem[] {
  const plan = state.run?.plan_file.replace(/^(\.\/)+/, "");
  return changes.flatMap(({ path }) => {
    if (path !== plan || facts.writes.includes(path)) return [];
    const message = `${oneLine(path)} is the plan of this run: to change it is for a person`;
    const hint =
      "Put it back: git checkout HEAD -- PATH. Say in your reply what should be planned otherwise.";
    return [{ code: "PLAN_PROTECTED", path, message, hint }];
  });
}

/** Not part of the work: what passes only thanks to them will fail, and a person should be able to see why. */
function reportIgnored(bridge: Bridge, { turn }: Turn, found: readonly string[]): void {
  // Where a reply's operations were carried out, our own ledger of it stands, and ignores itself.
  const ignored = found.filter((path) => !path.startsWith(".coxswain/changesets/"));
  if (ignored.length === 0) return;
  const shown = ignored
    .slice(0, 5)
    .map((path) => oneLine(path, 80))
    .join(", ");
  const message = `${counted(ignored.length, "ignored file")} left at the desk, not part of the work: ${shown}`;
  bridge.submit({ command: "report", turn, code: "WORK_IGNORED", message });
}
