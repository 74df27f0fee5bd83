/** Bytes of a script file → the script, or everything that is wrong with it, each with its line. */
import type { Problem } from "../std/problem.ts";
import { readShapedYaml } from "../std/shaped-yaml.ts";
import { type Script, scriptShape } from "./script.ts";
import { stepKinds } from "./step.ts";

export type ScriptReading =
  | { readonly script: Script }
  | { readonly problems: readonly [Problem, ...Problem[]] };

export function readScript(bytes: Uint8Array): ScriptReading {
  const reading = readShapedYaml(bytes, {
    shape: scriptShape,
    what: "the script",
    code: "SCRIPT_BAD",
    // Scripts are written by hand; one with files in it stays far below.
    bytesMax: 4 * 1024 * 1024,
    tooLongHint: "Split it over several agents, each with a script of its own.",
    shapeHint:
      "A script has `tasks:` (slug, role, a list with one list of steps for each call) and `default:` (the same without the slug).",
    keysAt: (path) => (path.length === 0 ? ["tasks", "default"] : stepKinds),
  });
  return "value" in reading ? { script: reading.value } : reading;
}
