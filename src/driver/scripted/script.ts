/**
 * The script of the driver `scripted`: who does what when, as YAML or JSON.
 *
 *     tasks:
 *       users:                          # the task's slug
 *         developer:                    # a role
 *           - - say: Done.              # the first call, a list of steps
 *           - - write: { path: src/users.ts, content: "export {};\n" }
 *             - reply: { file_operations: [], signal: READY FOR AUDIT }
 *                                       # the second call, and every later one
 *         auditor:
 *           attempts:                   # by the task's attempt, whatever was called before
 *             1: [{ reply: { verdict: FAIL } }]
 *             2: [{ reply: { verdict: PASS } }]
 *             3:                        # or by the turns of the attempt, the last one serves all later ones
 *               - [{ say: Well }]
 *               - [{ reply: { verdict: PASS } }]
 *     default:                          # for tasks that are not named
 *       default:                        # for roles that are not named
 *         - - say: "READY FOR AUDIT: $COX_TASK"
 *
 * Calls are counted only while the coordinator runs; `attempts` still work after it was killed. In every text,
 * `$COX_TASK`, `$COX_FENCE` and the other variables of an agent's environment are replaced by their values. The steps
 * are in `step.ts`.
 */
import { z } from "zod";
import { type ScriptStep, stepShape } from "./step.ts";

const play = z.array(stepShape).describe("The steps of one turn, in order");

const plays = z.union([
  z.array(play).min(1).describe("One for each call; the last one serves all later calls"),
  z
    .strictObject({
      attempts: z.record(z.string().regex(/^[1-9]\d{0,8}$/), z.union([play, z.array(play).min(1)])),
    })
    .describe("One for each attempt; an attempt that is not given is played like the last one before it"),
]);

const cast = z.record(z.string(), plays).describe("By role; `default` serves the roles that are not named");

export const agentScriptShape = z.strictObject({
  tasks: z.record(z.string(), cast).optional().describe("By the task's slug"),
  default: cast.optional().describe("For tasks that are not named, and roles that a task does not name"),
});

export type AgentScript = z.infer<typeof agentScriptShape>;

export interface ScriptScene {
  readonly task: string;
  readonly role: string;
  /** All count from 1; the turn is counted within the attempt. */
  readonly attempt: number;
  readonly turn: number;
  readonly call: number;
}

/** The steps for one turn; `undefined` when the script has none for it. */
export function playFor(script: AgentScript, scene: ScriptScene): readonly ScriptStep[] | undefined {
  for (const candidates of [own(script.tasks, scene.task), script.default]) {
    const found = own(candidates, scene.role) ?? own(candidates, "default");
    if (found === undefined) continue;
    const play = Array.isArray(found) ? nth(found, scene.call) : lastAt(found.attempts, scene);
    if (play !== undefined) return play;
  }
  return undefined;
}

type Play = readonly ScriptStep[];
type Attempts = Extract<z.infer<typeof plays>, { attempts: unknown }>["attempts"];

function lastAt(attempts: Attempts, { attempt, turn }: ScriptScene): Play | undefined {
  const given = Object.keys(attempts).map(Number);
  const last = attempts[Math.max(...given.filter((one) => one <= attempt))];
  return last !== undefined && isByTurn(last) ? nth(last, turn) : last;
}

function isByTurn(given: Attempts[string]): given is ScriptStep[][] {
  return Array.isArray(given[0]);
}

function nth(given: readonly Play[], number: number): Play | undefined {
  return given[Math.min(number, given.length) - 1];
}

/** Slugs and roles can be any word, even `constructor`. */
function own<Value>(of: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined;
}
