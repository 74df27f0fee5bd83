/**
 * A script inside a prompt: the prompt itself says what the model will do, so one server can serve any number of tests
 * at once without knowing any of them.
 *
 *     MODEL-SCRIPT {"steps":[{"tool":"Read","input":{"file_path":"a.txt"}},{"text":"done"}]} SCRIPT-END
 */
import { quote } from "../std/printable.ts";
import { type ModelStep, promptScriptShape } from "./script.ts";

export type PromptScript = { readonly steps: readonly ModelStep[] } | { readonly problem: string };

/** The last script in a text, or what is wrong with it; undefined if there is none. */
export function promptScript(text: string): PromptScript | undefined {
  const to = text.lastIndexOf(end);
  const from = to === -1 ? -1 : text.lastIndexOf(begin, to);
  if (from === -1) return undefined;
  const written = text.slice(from + begin.length, to).trim();
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `the script in the prompt is not JSON (${quote(why, 200)}): ${quote(written)}` };
  }
  const shaped = promptScriptShape.safeParse(value);
  if (shaped.success) return shaped.data;
  const [issue] = shaped.error.issues;
  const where = issue?.path.map(String).join(".") || "the script";
  return { problem: `the script in the prompt is wrong at ${quote(where)}: ${issue?.message}` };
}

const begin = "MODEL-SCRIPT";
const end = "SCRIPT-END";
