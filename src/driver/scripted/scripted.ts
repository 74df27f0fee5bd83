/**
 * The driver that plays a script file: for the demo, for tests, and for trying out a plan without a model.
 *
 * It runs in our own process and waits only through the timer it is given, so a simulation decides how long things
 * take. The format is described in `script.ts`.
 */

import { sameBytes } from "../../std/bytes.ts";
import { counted } from "../../std/counted.ts";
import { quote } from "../../std/printable.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { Driver, TurnRequest } from "../driver.ts";
import { failedTurn, promptFailure } from "../failure.ts";
import { filledIn, turnPlaceholders } from "../output/turn-words.ts";
import { workModes } from "../work-modes.ts";
import { Actor, type ActorWorld } from "./actor.ts";
import { type ReadScriptResult, readAgentScript } from "./read-script.ts";
import { playFor } from "./script.ts";

export function scripted(world: ActorWorld): Driver {
  const scripts = new Scripts(world);
  const calls = new Map<string, number>();

  return {
    name: "scripted",
    modes: workModes("scripted"),
    canResume: true,
    start(turn, observer) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const key = JSON.stringify([turn.run, turn.task, turn.role]);
      const call = (calls.get(key) ?? 0) + 1;
      calls.set(key, call);

      const path = turn.settings.script;
      if (path === undefined)
        return bad(turn, "it has no script: write `script: crew.yaml` beside `driver: scripted`");
      const reading = scripts.read(path);
      if ("unreadable" in reading)
        return bad(turn, `its script ${quote(path)} cannot be read (${reading.unreadable})`);
      if ("problems" in reading) return bad(turn, `${quote(path)}, ${firstOf(reading.problems)}`);

      const steps = playFor(reading.script, { ...turn, call, turn: turnOfAttempt(turn) ?? call });
      if (steps === undefined) {
        const wanted = `task ${quote(turn.task)}, role ${quote(turn.role)}, attempt ${turn.attempt}`;
        return bad(
          turn,
          `${quote(path)} has no steps for ${wanted}: add one below \`tasks:\` or \`default:\``,
        );
      }
      return new Actor(turn, world, observer).play(filledIn(steps, turnPlaceholders(turn)));
    },
  };
}

/** A turn's name ends with its number within the attempt; an auditor's has an `a` before the number. */
function turnOfAttempt({ turn }: TurnRequest): number | undefined {
  const [, number] = /\.a?(\d{1,9})$/.exec(turn) ?? [];
  return number === undefined ? undefined : Number(number);
}

function bad({ agent }: TurnRequest, why: string) {
  return failedTurn("SCRIPT_BAD", `agent ${agent} cannot play: ${why}`);
}

function firstOf([first, ...others]: Extract<ReadScriptResult, { problems: unknown }>["problems"]): string {
  const more = others.length > 0 ? ` (and ${counted(others.length, "more problem")})` : "";
  return `${first.message}${more}. ${first.hint}`;
}

/** Reads a script for every turn, since people edit it between turns, but parses it again only when it has changed. */
class Scripts {
  readonly #world: ActorWorld;
  readonly #known = new Map<string, { readonly bytes: Uint8Array; readonly reading: ReadScriptResult }>();

  constructor(world: ActorWorld) {
    this.#world = world;
  }

  read(path: string): ReadScriptResult | { readonly unreadable: string } {
    let bytes: Uint8Array;
    try {
      bytes = this.#world.files.read(path);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      return { unreadable: errno };
    }
    const known = this.#known.get(path);
    if (known !== undefined && sameBytes(known.bytes, bytes)) return known.reading;
    const reading = readAgentScript(bytes);
    this.#known.set(path, { bytes, reading });
    return reading;
  }
}
