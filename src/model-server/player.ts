/**
 * Chooses the step that answers a request.
 *
 * Tried in this order: the file's conversations whose `when` matches; the script in the prompt; the file's conversation
 * without a `when`. Steps are counted by the model's turns in the request. Only steps with `times` are remembered,
 * because a client that retries sends nothing to count by.
 */
import { canonicalJson } from "../std/canonical-json.ts";
import type { ModelMessage, ModelRequest, OfferedTool } from "./model-request.ts";
import { promptScript } from "./prompt-script.ts";
import type { ModelScript, ModelStep, ScriptedConversation } from "./script.ts";

export interface Played {
  /** The conversation's name; `prompt` for a script in the prompt. */
  readonly conversation: string;
  /** How many turns of the model came before, from 0. */
  readonly turn: number;
  /** Missing for a request that the client makes for itself, outside the conversation. */
  readonly step?: ModelStep;
}

export type Choice = Played | { readonly unscripted: string };

export class Player {
  readonly #conversations: readonly (readonly [string, ScriptedConversation])[];
  readonly #happened = new Map<string, number>();

  constructor({ conversations = {} }: ModelScript) {
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

  /**
   * The step for a turn: first the steps before it that have `times`, each that many times, then the step itself. The
   * last one repeats.
   */
  #step(
    name: string,
    steps: readonly ModelStep[],
    turn: number,
  ): { readonly turn: number; readonly step: ModelStep } {
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
    return { turn, step: steps[own] as ModelStep };
  }
}

/** The tool that a script means: by its full name, or by the end of a name to which the client added a prefix. */
export function meantTool(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact) return exact;
  const ending = tools.filter(
    (tool) => /[_.-]$/.test(tool.name.slice(0, -name.length)) && tool.name.endsWith(name),
  );
  // `task` is the end of both `x_task` and `x_start_task`: the shortest name has the shortest prefix.
  return ending.sort((one, other) => one.name.length - other.name.length)[0];
}

function fits(when: NonNullable<ScriptedConversation["when"]>, request: ModelRequest): boolean {
  const { model, system, prompt, tool, format } = when;
  return (
    (format === undefined || request.format === format) &&
    (model === undefined || request.model.includes(model)) &&
    (system === undefined || request.system.includes(system)) &&
    (tool === undefined || meantTool(request.tools, tool) !== undefined) &&
    (prompt === undefined || request.turns.some((turn) => saysTo(turn, prompt)))
  );
}

function saysTo(turn: ModelMessage, words: string): boolean {
  return turn.role === "user" && turn.text.includes(words);
}

function turnsSince(turns: readonly ModelMessage[], prompt: string | undefined): number {
  if (prompt === undefined) return countTurns(turns);
  return countTurns(turns.slice(turns.findLastIndex((turn) => saysTo(turn, prompt))));
}

function countTurns(turns: readonly ModelMessage[]): number {
  return turns.filter(({ role }) => role === "assistant").length;
}

/**
 * Requests for titles, routing or reviews: they contain the user's words, so also the script, but none of its tools.
 */
function isAside({ tools, schema }: ModelRequest, steps: readonly ModelStep[]): boolean {
  const called = steps.flatMap(calledTools);
  if (called.length === 0 || steps.some((step) => step.asIs)) return false;
  return tools.length === 0 || (schema !== undefined && !called.some((name) => meantTool(tools, name)));
}

/** A request with a schema and without tools wants JSON; a text that is not JSON was not meant for it. */
function isAsideText({ tools, schema }: ModelRequest, { text, asIs }: ModelStep): boolean {
  if (schema === undefined || tools.length > 0 || text === undefined || asIs) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

function calledTools({ tool, tools = [] }: ModelStep): string[] {
  return [...(tool === undefined ? [] : [tool]), ...tools.map((one) => one.tool)];
}
