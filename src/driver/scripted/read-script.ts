/** Parses a script file: returns the script, or everything that is wrong with it, each problem with its line. */
import type { Problem } from "../../std/problem.ts";
import { readShapedYaml } from "../../std/shaped-yaml.ts";
import { type AgentScript, agentScriptShape } from "./script.ts";
import { stepKinds } from "./step.ts";

export type ReadScriptResult =
  | { readonly script: AgentScript }
  | { readonly problems: readonly [Problem, ...Problem[]] };

export function readAgentScript(bytes: Uint8Array): ReadScriptResult {
  const reading = readShapedYaml(bytes, {
    shape: agentScriptShape,
    what: "the script",
    code: "SCRIPT_BAD",
    // Scripts are written by hand; even one with files in it stays far below this.
    bytesMax: 4 * 1024 * 1024,
    tooLongHint: "Split it over several agents, each with a script of its own.",
    shapeHint:
      "A script has `tasks:` (slug, role, a list with one list of steps for each call) and `default:` (the same without the slug).",
    keysAt: (path) => (path.length === 0 ? ["tasks", "default"] : stepKinds),
  });
  return "value" in reading ? { script: reading.value } : reading;
}
