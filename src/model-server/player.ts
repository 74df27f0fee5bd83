/**
 * A request → the step that answers it.
 *
 * Asked in this order: the conversations of the file with a `when` that fits; the script in the prompt; the
 * conversation of the file without a `when`. Steps are counted by the model's turns that the request holds. Only
 * steps with `times` are remembered, because a client that tries again sends nothing to count by.
 */
import { canonicalJson } from "../std/canonical-json.ts";
import type { ModelRequest, OfferedTool, Turn } from "./model-request.ts";
import { promptScript } from "./prompt-script.ts";
import type { Conversation, Script, Step } from "./script.ts";

export interface Played {
  /** The conversation's name; of a script in the prompt, `prompt`. */
  readonly conversation: string;
  /** From 0: so many turns of the model are behind. */
  readonly turn: number;
  /** Nothing when the client asks something on its own account, beside the conversation. */
  readonly step?: Step;
}

export type Choice = Played | { readonly unscripted: string };

export class Player {
  readonly #conversations: readonly (readonly [string, Conversation])[];
  readonly #happened = new Map<string, number>();

  constructor({ conversations = {} }: Script) {
    this.#conversations = Object.entries(conversations);
  }

  choose(request: ModelRequest): Choice {
    const fitting = this.#conversations.find(([, { when }]) => when !== undefined && fits(when, request));
    if (fitting) {
      const [name, { when, steps }] = fitting;
      return { conversation: name, ...this.#step(name, steps, turnsSince(request.turns, when?.prompt)) };
    }
    const [name, found] = this.#underlying(request);
    if (found === undefined) return { unscripted: "the script has no conversation for this request" };
    if ("problem" in found) return { unscripted: found.problem };
    const { steps, turn } = found;
    if (isAside(request, steps)) return { conversation: name, turn };
    const { step } = this.#step(name, steps, turn);
    return { conversation: name, turn, ...(isAsideText(request, step) ? {} : { step }) };
  }

  #underlying({ turns }: ModelRequest) {
    const at = turns.findLastIndex((turn) => turn.role === "user" && promptScript(turn.text) !== undefined);
    const given = at === -1 ? undefined : promptScript(turns[at]?.text ?? "");
    if (given !== undefined) {
      const turn = countTurns(turns.slice(at));
      return ["prompt", "problem" in given ? given : { steps: given.steps, turn }] as const;
    }
    const [name = "", usual] = this.#conversations.find(([, { when }]) => when === undefined) ?? [];
    return [name, usual && { steps: usual.steps, turn: countTurns(turns) }] as const;
  }

  /** The step for a turn: what happens before it so many times, and then itself. The last one repeats. */
  #step(name: string, steps: readonly Step[], turn: number): { readonly turn: number; readonly step: Step } {
    const turns = steps.flatMap((step, at) => (step.times === undefined ? [at] : []));
    const place = Math.min(turn, turns.length - 1);
    const own = turns[place] ?? steps.length - 1;
    const before = turn > place ? own : (turns[place - 1] ?? -1) + 1;
    for (let at = before; at < own; at++) {
      const step = steps[at];
      const key = canonicalJson([name, at, name === "prompt" ? JSON.stringify(steps) : ""]);
      const happened = this.#happened.get(key) ?? 0;
      if (step?.times === undefined || happened >= step.times) continue;
      this.#happened.set(key, happened + 1);
      return { turn, step };
    }
    return { turn, step: steps[own] as Step };
  }
}

/** The tool that a script means: by its name, or by the end of a name that the client put something before. */
export function meantTool(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact) return exact;
  const ending = tools.filter(
    (tool) => /[_.-]$/.test(tool.name.slice(0, -name.length)) && tool.name.endsWith(name),
  );
  // `x_task` is the end of `x_start_task` too: the shortest is the one with the least before it.
  return ending.sort((one, other) => one.name.length - other.name.length)[0];
}

function fits(when: NonNullable<Conversation["when"]>, request: ModelRequest): boolean {
  const { model, system, prompt, tool, format } = when;
  return (
    (format === undefined || request.format === format) &&
    (model === undefined || request.model.includes(model)) &&
    (system === undefined || request.system.includes(system)) &&
    (tool === undefined || meantTool(request.tools, tool) !== undefined) &&
    (prompt === undefined || request.turns.some((turn) => saysTo(turn, prompt)))
  );
}

function saysTo(turn: Turn, words: string): boolean {
  return turn.role === "user" && turn.text.includes(words);
}

function turnsSince(turns: readonly Turn[], prompt: string | undefined): number {
  if (prompt === undefined) return countTurns(turns);
  return countTurns(turns.slice(turns.findLastIndex((turn) => saysTo(turn, prompt))));
}

function countTurns(turns: readonly Turn[]): number {
  return turns.filter(({ role }) => role === "assistant").length;
}

/** Titles, routes, reviews: they hold the user's words, and so the script, but offer none of the tools it calls. */
function isAside({ tools, schema }: ModelRequest, steps: readonly Step[]): boolean {
  const called = steps.flatMap(calledTools);
  if (called.length === 0 || steps.some((step) => step.asIs)) return false;
  return tools.length === 0 || (schema !== undefined && !called.some((name) => meantTool(tools, name)));
}

/** A question with a schema and without tools wants data; a text that is none was not meant for it. */
function isAsideText({ tools, schema }: ModelRequest, { text, asIs }: Step): boolean {
  if (schema === undefined || tools.length > 0 || text === undefined || asIs) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

function calledTools({ tool, tools = [] }: Step): string[] {
  return [...(tool === undefined ? [] : [tool]), ...tools.map((one) => one.tool)];
}
