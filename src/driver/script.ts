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
 *     default:                          # for tasks that are not named
 *       default:                        # for roles that are not named
 *         - - say: "READY FOR AUDIT: $COX_TASK"
 *
 * Calls are counted while the coordinator lives; `attempts` also hold after it was killed. In every text `$COX_TASK`,
 * `$COX_FENCE` and the other names of an agent's environment stand for their values. The steps are in `step.ts`.
 */
import { z } from "zod";
import { type Step, stepShape } from "./step.ts";

const play = z.array(stepShape).describe("The steps of one turn, in order");

const plays = z.union([
  z.array(play).min(1).describe("One for each call; the last one serves all later calls"),
  z
    .strictObject({ attempts: z.record(z.string().regex(/^[1-9]\d{0,8}$/), play) })
    .describe("One for each attempt; an attempt that is not given is played like the last one before it"),
]);

const cast = z.record(z.string(), plays).describe("By role; `default` serves the roles that are not named");

export const scriptShape = z.strictObject({
  tasks: z.record(z.string(), cast).optional().describe("By the task's slug"),
  default: cast.optional().describe("For tasks that are not named, and roles that a task does not name"),
});

export type Script = z.infer<typeof scriptShape>;

export interface Scene {
  readonly task: string;
  readonly role: string;
  /** Both from 1. */
  readonly attempt: number;
  readonly call: number;
}

/** The steps for one turn; nothing when the script has none for it. */
export function playFor(script: Script, { task, role, attempt, call }: Scene): readonly Step[] | undefined {
  for (const candidates of [own(script.tasks, task), script.default]) {
    const found = own(candidates, role) ?? own(candidates, "default");
    if (found === undefined) continue;
    const play = Array.isArray(found)
      ? found[Math.min(call, found.length) - 1]
      : lastAt(found.attempts, attempt);
    if (play !== undefined) return play;
  }
  return undefined;
}

function lastAt(attempts: Readonly<Record<string, readonly Step[]>>, attempt: number) {
  const given = Object.keys(attempts).map(Number);
  const last = Math.max(...given.filter((one) => one <= attempt));
  return attempts[last];
}

/** Slugs and roles are anybody's words, `constructor` too. */
function own<Value>(of: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined;
}
