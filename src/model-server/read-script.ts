/** Reads a script file: returns the script, or everything that is wrong with it, each problem with its line. */
import { readShapedYaml, type Shaped } from "../std/shaped-yaml.ts";
import {
  conversationKeys,
  type ModelScript,
  modelScriptShape,
  scriptKeys,
  stepKeys,
  whenKeys,
} from "./script.ts";

export function readModelScript(bytes: Uint8Array): Shaped<ModelScript> {
  return readShapedYaml(bytes, {
    shape: modelScriptShape,
    what: "the script",
    code: "MODEL_SCRIPT_BAD",
    bytesMax: 16 * 1024 * 1024,
    tooLongHint: "Leave out conversations, or start a second server for them.",
    shapeHint:
      "A script has `conversations:`, each by a name with `steps:` (a list of `text:`, `tool:` with `input:`, `status:` …) and perhaps `when:`.",
    keysAt,
  });
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return scriptKeys;
  if (path.length === 2) return conversationKeys;
  if (path.at(-1) === "when") return whenKeys;
  if (path.includes("tools")) return ["tool", "input"];
  if (path.at(-1) === "usage") return ["input", "output", "cacheRead"];
  return path.at(-1) === "rateLimit" ? ["resetSeconds"] : stepKeys;
}
