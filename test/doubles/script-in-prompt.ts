/** Writes a script into a prompt, as `src/model-server/prompt-script.ts` reads it. */
import type { ModelStep } from "../../src/model-server/script.ts";

export function scriptInPrompt(script: { readonly steps: readonly ModelStep[] }): string {
  return `MODEL-SCRIPT ${JSON.stringify(script)} SCRIPT-END`;
}
