/** What an agent does in one turn: some steps, then an end. Chosen at random; in fair weather it does its work well. */
import type { FailureCode } from "../../src/driver/driver.ts";
import type { RecordedTask } from "../../src/kernel/run-started.ts";
import type { Random } from "../crash/random.ts";
import type { Left } from "./left-rules.ts";
import { pick } from "./plans.ts";

export interface Performance {
  readonly steps: readonly Step[];
  readonly end: End;
}

export type Step =
  | { readonly kind: "write"; readonly path: string; readonly text: string | undefined }
  | { readonly kind: "line"; readonly text: string }
  /** A write outside the desk: where only git and we write, or where the user writes too. */
  | { readonly kind: "stray"; readonly where: "settings" | "checkout" }
  | { readonly kind: "usage" };

export type End =
  | {
      readonly kind: "reply";
      readonly text: string;
      readonly isMisconduct?: boolean;
      readonly left?: readonly Left[];
      /** The sandbox should have confined it, and did not. */
      readonly ranUnconfined?: boolean;
    }
  | { readonly kind: "crash" }
  /** Fails with a code that its program reports. */
  | { readonly kind: "fail"; readonly code: FailureCode; readonly resetsInMs?: number }
  /** Silent for ever. */
  | { readonly kind: "hang" }
  /** Prints something now and then, for ever. */
  | { readonly kind: "chatter" };

/** What the agent is given to work with. */
export interface Situation {
  readonly random: Random;
  readonly isFair: boolean;
  readonly facts: RecordedTask;
  readonly turn: string;
  readonly fence: string;
  readonly worksAtDesk: boolean;
  /** The text of each file at the desk, and of each file in the commit that the desk is based on. */
  readonly desk: ReadonlyMap<string, string>;
  readonly base: ReadonlyMap<string, string>;
}

type Edits = Map<string, string | undefined>;

/** Repeated entries are more likely. */
const moods = [
  ...(Array(10).fill("good") as "good"[]),
  ...(["shared", "shared", "shared", "shared", "bug", "bug", "clash", "clash", "trespass"] as const),
  ...(["remove", "remove", "sensitive", "sensitive", "sensitive", "ignored", "markers", "outputs"] as const),
  ...(["empty", "claim", "nonsense", "question", "question", "incomplete"] as const),
  ...([
    "fail",
    "fail",
    "fail",
    "fail",
    "crash",
    "crash",
    "hang",
    "chatter",
    "misconduct",
    "stray",
    "stray",
    "unconfined",
  ] as const),
] as const;

export function developerPerformance(situation: Situation): Performance {
  const { random, isFair } = situation;
  const mood = isFair ? (random.chance(0.3) ? "shared" : "good") : moodOf(situation);
  const edits = editsOf(situation, mood);
  const steps = [...(mood === "stray" ? [strayStep(random)] : []), ...stepsOf(situation, edits)];
  switch (mood) {
    case "crash":
      return { steps: steps.slice(0, random.below(steps.length + 1)), end: { kind: "crash" } };
    case "fail":
      return { steps: steps.slice(0, random.below(steps.length + 1)), end: anyFailure(random) };
    case "hang":
    case "chatter":
      return { steps: steps.slice(0, random.below(steps.length + 1)), end: { kind: mood } };
    default:
      return {
        steps,
        end: {
          kind: "reply",
          text: replyOf(situation, mood, edits),
          isMisconduct: mood === "misconduct",
          left: leftBy(situation, mood),
          ranUnconfined: mood === "unconfined",
        },
      };
  }
}

/** Draws no random number of its own, so that seeds kept earlier still show what they were kept for. */
function leftBy({ facts }: Situation, mood: (typeof moods)[number]): Left[] {
  if (mood === "outputs") return [{ words: `the ${facts.task} is compared loosely` }];
  if (mood === "ignored") return [{ words: `which index for ${facts.task}?` }];
  return mood === "misconduct" ? [{ words: "AGENT COMPLETE", isForbidden: true }] : [];
}

function anyFailure(random: Random): End {
  const code = pick(random, failures);
  const isReported = code === "AGENT_RATE_LIMIT" && random.chance(0.4);
  return { kind: "fail", code, ...(isReported ? { resetsInMs: random.below(20_000) } : {}) };
}

/** Repeated entries are more likely. Each code has a different consequence. */
const failures = [
  ...(["AGENT_RATE_LIMIT", "AGENT_RATE_LIMIT", "AGENT_RATE_LIMIT", "AGENT_API", "AGENT_API"] as const),
  ...(["AGENT_NOT_SIGNED_IN", "AGENT_NOT_INSTALLED", "AGENT_CONTEXT", "AGENT_CONTEXT"] as const),
  ...(["AGENT_REFUSED", "AGENT_LIMIT", "AGENT_NO_RESULT"] as const),
] as const;

function strayStep(random: Random): Step {
  return { kind: "stray", where: random.chance(0.6) ? "settings" : "checkout" };
}

/** An agent that touched a file only a person may allow is likely to touch it again. */
function moodOf({ random, desk, base }: Situation): (typeof moods)[number] {
  const isBold = desk.get("AGENTS.md") !== base.get("AGENTS.md");
  return isBold && random.chance(0.6) ? "sensitive" : pick(random, moods);
}

function editsOf(situation: Situation, mood: (typeof moods)[number]): Edits {
  const { facts, turn, random, worksAtDesk, desk, base } = situation;
  const own = `${facts.task}.txt`;
  const edits: Edits = tidied(situation);
  const silent: readonly string[] = ["empty", "claim", "nonsense", "question", "incomplete"];
  if (silent.includes(mood)) return mood === "empty" ? new Map() : edits;
  const isBold = mood === "sensitive" && desk.get("AGENTS.md") === base.get("AGENTS.md");
  const hasBug = mood === "bug" || (isBold && random.chance(0.5));
  const flaw = hasBug ? "BUG\n" : mood === "clash" ? "CLASH\n" : "";
  edits.set(own, `${facts.task} by ${turn}\n${flaw}`);
  if (mood === "shared" && may(facts, "shared.txt"))
    edits.set("shared.txt", `${facts.task} was here, ${turn}\n`);
  if (mood === "trespass")
    edits.set(pick(random, ["a.txt", "b.txt", "c.txt"]), `${facts.task} was here too\n`);
  if (mood === "remove") edits.set(`old-${facts.task}.txt`, undefined);
  if (mood === "sensitive") edits.set("AGENTS.md", `obey ${pick(random, ["ana", turn])}\n`);
  if (mood === "ignored" && worksAtDesk) edits.set("debug.log", "it works here\n");
  if (mood === "markers") edits.set(own, "<<<<<<< ours\none\n=======\nother\n>>>>>>> theirs\n");
  return edits;
}

/** What a careful agent fixes first: conflicts, and in fair weather everything else that is wrong. */
function tidied({ desk, base, facts, isFair, turn }: Situation): Edits {
  const edits: Edits = new Map();
  for (const [path, text] of desk) {
    const isConflict = text.includes("<<<<<<<");
    if (isConflict) edits.set(path, `both, by ${turn}\n`);
    if (isFair && /BUG|CLASH/.test(text) && may(facts, path)) edits.set(path, `mended by ${turn}\n`);
  }
  if (!isFair) return edits;
  for (const path of new Set([...desk.keys(), ...base.keys()])) {
    const isForeign = !may(facts, path) || path.startsWith("old-") || path === "AGENTS.md";
    if (isForeign && desk.get(path) !== base.get(path)) edits.set(path, base.get(path));
  }
  return edits;
}

function may({ writes }: RecordedTask, path: string): boolean {
  return writes.length === 0 || writes.includes(path);
}

function stepsOf({ worksAtDesk, random, facts }: Situation, edits: Edits): Step[] {
  const writes = worksAtDesk
    ? [...edits].map(([path, text]) => ({ kind: "write", path, text }) as const)
    : [];
  const checkpoint: Step[] = random.chance(0.2)
    ? [{ kind: "line", text: `Checkpoint: half of ${facts.task}` }]
    : [];
  return [
    { kind: "line", text: "reading" },
    ...writes.slice(0, 1),
    ...checkpoint,
    ...writes.slice(1),
    { kind: "usage" },
  ];
}

function replyOf(situation: Situation, mood: (typeof moods)[number], edits: Edits): string {
  const { facts, worksAtDesk, fence, desk } = situation;
  const block = (value: unknown) => `Here it is.\n\n\`\`\`${fence}\n${JSON.stringify(value)}\n\`\`\`\n`;
  const [left] = leftBy(situation, mood);
  const operations = worksAtDesk ? [] : [...edits].flatMap(([path, text]) => operation(path, text, desk));
  switch (mood) {
    case "nonsense":
      return '```json\n{"file_operations": [';
    case "claim":
      return "I have created src/imagined.ts and everything works.";
    case "question":
      return `SEEKING DIVINE CLARIFICATION\nQuestion: tabs or spaces in ${facts.task}?\nOptions: tabs | spaces\n`;
    case "incomplete":
      return `TASK INCOMPLETE: ${facts.task}\nthe road is blocked\n`;
    default:
      return block({
        ...(operations.length > 0 ? { file_operations: operations } : {}),
        specialist_summary: `the ${facts.task} is there`,
        signal: left?.isForbidden ? `${left.words}: ${facts.task}` : `READY FOR AUDIT: ${facts.task}`,
        ...(mood === "outputs" ? { outputs: [{ name: "notes.md", content: `notes of ${facts.task}` }] } : {}),
        ...(mood === "outputs" ? { notes: [{ description: left?.words, status: "escalated" }] } : {}),
        ...(mood === "ignored"
          ? { delegations: [{ agent: "db-expert", request_type: "advice", request: left?.words }] }
          : {}),
      });
  }
}

function operation(path: string, text: string | undefined, desk: ReadonlyMap<string, string>): unknown[] {
  const description = `a change of ${path}`;
  if (desk.get(path) === text) return [];
  if (text === undefined) return [{ operation: "delete", file_path: path, description }];
  return [{ operation: desk.has(path) ? "edit" : "create", file_path: path, description, content: text }];
}

export function auditorPerformance({ random, isFair, fence, facts }: Situation): Performance {
  const steps: Step[] = [{ kind: "line", text: "judging" }, { kind: "usage" }];
  const verdict = isFair
    ? "pass"
    : pick(random, [
        "pass",
        "pass",
        "pass",
        "pass",
        "words",
        "fail",
        "blocked",
        "nonsense",
        "failure",
        "failure",
        "crash",
        "hang",
      ] as const);
  if (verdict === "failure") return { steps, end: anyFailure(random) };
  if (verdict === "crash" || verdict === "hang") return { steps, end: { kind: verdict } };
  const isDoubted = !isFair && verdict === "pass" && facts.priority === "low";
  const left = isDoubted ? [{ words: `the ${facts.task} may be too slow` }] : [];
  return {
    steps,
    end: { kind: "reply", text: judgement(verdict, { fence, task: facts.task, left }), left },
  };
}

interface Judged {
  readonly fence: string;
  readonly task: string;
  readonly left: readonly Left[];
}

function judgement(verdict: string, { fence, task, left }: Judged): string {
  const block = (value: unknown) => `\`\`\`${fence}\n${JSON.stringify(value)}\n\`\`\`\n`;
  const finding = { severity: "blocking", file: `${task}.txt`, line: 1, problem: "it is too short" };
  switch (verdict) {
    case "pass":
      return block({
        ...{ verdict: "PASS", summary: "as it should be", findings: [] },
        notes: left.map(({ words }) => ({ description: words })),
      });
    case "words":
      return `AUDIT PASSED - ${task}\nwell done\n`;
    case "fail":
      return block({ verdict: "FAIL", summary: "not yet", findings: [finding] });
    case "blocked":
      return block({ verdict: "BLOCKED", summary: "there is no database", findings: [] });
    default:
      return "It looks good to me.";
  }
}
