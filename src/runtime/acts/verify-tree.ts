/**
 * Runs the verify commands in a clean checkout of exactly the tree that will be committed, at a desk no agent ever used.
 * Files that the commands write there are noted with the evidence.
 */
import type { Desk } from "../../git/repository.ts";
import type { Effect } from "../../kernel/effect.ts";
import type { RecordedEvidence } from "../../kernel/event.ts";
import { noCommit } from "../../std/object-id.ts";
import { oneLine, printableLines } from "../../std/printable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import type { Evidence } from "../../verify/verifier.ts";
import { timeLimit } from "../../view/time-limit.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { ActContext, Cancellation } from "../loop/act-context.ts";
import { Supervision } from "../loop/supervision.ts";
import { openedPlaces, readOnlyPlaces } from "../start/opened-places.ts";
import { setupDigest } from "./setup-digest.ts";
import { runOf } from "./turn-desk.ts";

type VerifyEffect = Extract<Effect, { effect: "verify" }>;

export async function verifyTree(
  effect: VerifyEffect,
  context: ActContext,
  cancellation: Cancellation,
): Promise<void> {
  const { state, ports } = context;
  const run = runOf(state);
  const tree = effect.tree;
  const name = `verify.${sha256(effect.key).slice(0, 12)}`;
  const base = state.run?.base ?? noCommit;
  const desk = await ports.repository.openDesk({ run, name, base, tree, keep: false, purpose: "verify" });
  const { evidence, isTimedOut } = await superviseVerify(effect, context, { desk, cancellation });
  // A cancelled verification leaves no evidence; whoever resumes the run verifies again.
  if (cancellation.isCancelled) return ports.repository.closeDesk(desk);
  const { changes } = await ports.repository.capture(desk, tree);
  const wrote = changes.map(({ path }) => path);
  const facts = await keep(context, { ...evidence, wrote });
  await ports.repository.closeDesk(desk);
  const failure = evidence.passed ? {} : { failure: failureWords(evidence) };
  const timeout = isTimedOut ? { isTimedOut } : {};
  context.submit({ command: "verified", work: effect.work, tree, evidence: facts, ...failure, ...timeout });
}

interface SupervisedVerify {
  readonly evidence: Evidence;
  /** A command was stopped because it took too long. */
  readonly isTimedOut: boolean;
}

async function superviseVerify(
  effect: VerifyEffect,
  context: ActContext,
  { desk, cancellation }: { desk: Desk; cancellation: Cancellation },
): Promise<SupervisedVerify> {
  const { state, ports } = context;
  const settings = state.run?.settings;
  const digest = await setupDigest(ports.repository, effect.tree, settings?.setup ?? []);
  const limitMs = settings?.verify_timeout_ms ?? settings?.turn_timeout_ms ?? 0;
  let supervision: Supervision | undefined;
  const task = "task" in effect.work ? { task: effect.work.task } : {};
  const handle = ports.verifier.verify(
    {
      tree: effect.tree,
      folder: desk.folder,
      setup: settings?.setup ?? [],
      setupDigest: digest,
      commands: effect.commands,
      marks: { COX_RUN: runOf(state) },
      readOnly: readOnlyPlaces(ports),
      writable: openedPlaces(settings ?? {}, ports.home ?? ""),
    },
    {
      onCommand() {
        supervision?.end();
        supervision = new Supervision(ports.clock, { wallMs: limitMs, stallMs: limitMs }, () =>
          handle.cancel(),
        );
      },
      onSign: ({ line }) => context.reportSign({ key: effect.key, ...task, words: oneLine(line, 120) }),
    },
  );
  cancellation.onCancel(() => handle.cancel());
  const evidence = await handle.evidence;
  supervision?.end();
  return supervision?.exceeded ? timedOutUnlessEnded(evidence, limitMs) : { evidence, isTimedOut: false };
}

/** A command that ended by itself just when its time was up was not too late. */
function timedOutUnlessEnded(evidence: Evidence, limitMs: number): SupervisedVerify {
  const { failure, commands } = evidence;
  if (!failure || commands.at(-1)?.exitCode !== null) return { evidence, isTimedOut: false };
  const why = `did not finish within ${timeLimit(limitMs)} (verify-timeout)`;
  return { evidence: { ...evidence, failure: { ...failure, why } }, isTimedOut: true };
}

async function keep(
  { ports }: ActContext,
  evidence: Evidence & { wrote: readonly string[] },
): Promise<RecordedEvidence> {
  const bytes = encodeUtf8(`${JSON.stringify(evidence, null, 2)}\n`);
  const digest = sha256(bytes);
  await ports.archive.keep(`evidence/${digest}.json`, bytes);
  const commands = evidence.commands.map(({ command, exitCode, durationMs }) => ({
    command,
    exit: exitCode,
    ms: Math.round(durationMs),
  }));
  return { sha256: digest, commands };
}

/** The end of the output is the most useful part. */
const shownLines = 40;

function failureWords({ failure, commands }: Evidence): string {
  const output = commands.at(-1)?.output ?? "";
  const lines = printableLines(output.slice(-8000), { lines: 10_000, width: 300 }).slice(-shownLines);
  const step = failure?.step === "setup" ? "the setup command " : "";
  const head = `${step}${oneLine(failure?.command ?? "", 200)}: ${oneLine(failure?.why ?? "it failed", 300)}`;
  return lines.length === 0 ? head : `${head}\n${lines.join("\n")}`;
}
