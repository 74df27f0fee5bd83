/**
 * The act of verifying: the commands run in a clean checkout of exactly the tree that is to be committed, at a desk that no
 * agent ever used; what they wrote there themselves is noted with the evidence.
 */
import type { Commit, Desk, TreeId } from "../git/repository.ts";
import type { Effect } from "../kernel/effect.ts";
import type { EvidenceFacts } from "../kernel/event.ts";
import { oneLine, printableLines } from "../std/printable.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { Evidence } from "../verify/verifier.ts";
import { timeLimit } from "../view/time-limit.ts";
import { sha256 } from "../world/hash.ts";
import type { Bridge, Cancellation } from "./bridge.ts";
import { readOnlyPlaces } from "./read-only-places.ts";
import { setupDigest } from "./setup-digest.ts";
import { Supervision } from "./supervision.ts";
import { runOf } from "./turn-desk.ts";

type Verifying = Extract<Effect, { effect: "verify" }>;

export async function verifyTree(
  effect: Verifying,
  bridge: Bridge,
  cancellation: Cancellation,
): Promise<void> {
  const { state, hands } = bridge;
  const run = runOf(state);
  const tree = effect.tree as TreeId;
  const name = `verify.${sha256(effect.key).slice(0, 12)}`;
  const base = (state.run?.base ?? "") as Commit;
  const desk = await hands.repository.openDesk({ run, name, base, tree, keep: false, purpose: "verify" });
  const { evidence, isLate } = await watched(effect, bridge, { desk, cancellation });
  // A run that is being ended has seen nothing: whoever goes on with it verifies again.
  if (cancellation.isCancelled) return hands.repository.closeDesk(desk);
  const { changes } = await hands.repository.capture(desk, tree);
  const wrote = changes.map(({ path }) => path);
  const facts = await keep(bridge, { ...evidence, wrote });
  await hands.repository.closeDesk(desk);
  const failure = evidence.passed ? {} : { failure: failureWords(evidence) };
  const late = isLate ? { isLate } : {};
  bridge.submit({ command: "verified", work: effect.work, tree, evidence: facts, ...failure, ...late });
}

interface Seen {
  readonly evidence: Evidence;
  /** A command was ended because it took too long. */
  readonly isLate: boolean;
}

async function watched(
  effect: Verifying,
  bridge: Bridge,
  { desk, cancellation }: { desk: Desk; cancellation: Cancellation },
): Promise<Seen> {
  const { state, hands } = bridge;
  const settings = state.run?.settings;
  const digest = await setupDigest(hands.repository, effect.tree as TreeId, settings?.setup ?? []);
  const limitMs = settings?.verify_timeout_ms ?? settings?.turn_timeout_ms ?? 0;
  let supervision: Supervision | undefined;
  const task = "task" in effect.work ? { task: effect.work.task } : {};
  const handle = hands.verifier.verify(
    {
      tree: effect.tree,
      folder: desk.folder,
      setup: settings?.setup ?? [],
      setupDigest: digest,
      commands: effect.commands,
      marks: { COX_RUN: runOf(state) },
      readOnly: readOnlyPlaces(hands),
    },
    {
      onCommand() {
        supervision?.end();
        supervision = new Supervision(hands.clock, { wallMs: limitMs, stallMs: limitMs }, () =>
          handle.cancel(),
        );
      },
      onSign: ({ line }) => bridge.heard({ key: effect.key, ...task, words: oneLine(line, 120) }),
    },
  );
  cancellation.onCancel(() => handle.cancel());
  const evidence = await handle.evidence;
  supervision?.end();
  return supervision?.exceeded ? lateOr(evidence, limitMs) : { evidence, isLate: false };
}

/** One that had just ended by itself when its time was up did not take too long. */
function lateOr(evidence: Evidence, limitMs: number): Seen {
  const { failure, commands } = evidence;
  if (!failure || commands.at(-1)?.exitCode !== null) return { evidence, isLate: false };
  const why = `did not end within ${timeLimit(limitMs)} (verify-timeout)`;
  return { evidence: { ...evidence, failure: { ...failure, why } }, isLate: true };
}

async function keep(
  { hands }: Bridge,
  evidence: Evidence & { wrote: readonly string[] },
): Promise<EvidenceFacts> {
  const bytes = encodeUtf8(`${JSON.stringify(evidence, null, 2)}\n`);
  const digest = sha256(bytes);
  await hands.archive.keep(`evidence/${digest}.json`, bytes);
  const commands = evidence.commands.map(({ command, exitCode, durationMs }) => ({
    command,
    exit: exitCode,
    ms: Math.round(durationMs),
  }));
  return { sha256: digest, commands };
}

/** The end of the output says most. */
const shownLines = 40;

function failureWords({ failure, commands }: Evidence): string {
  const output = commands.at(-1)?.output ?? "";
  const lines = printableLines(output.slice(-8000), { lines: 10_000, width: 300 }).slice(-shownLines);
  const step = failure?.step === "setup" ? "the setup command " : "";
  const head = `${step}${oneLine(failure?.command ?? "", 200)}: ${oneLine(failure?.why ?? "it failed", 300)}`;
  return lines.length === 0 ? head : `${head}\n${lines.join("\n")}`;
}
