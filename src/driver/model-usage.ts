/** Usage by model, and what it comes to. */
import type { ModelUsage, Usage } from "./driver.ts";

/** Of all of them together, with each beside. */
export function usageOfModels(models: readonly ModelUsage[]): Usage {
  const sum = (name: "inputTokens" | "outputTokens" | "cachedInputTokens") =>
    models.reduce((total, model) => total + (model[name] ?? 0), 0);
  return {
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    cachedInputTokens: sum("cachedInputTokens"),
    models,
  };
}

/** Where the agent does not tell, it was the one that it was asked to take; or its own, whose name we do not know. */
export function withModel(usage: Usage, model: string): Usage {
  if (usage.models !== undefined && usage.models.length > 0) return usage;
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 } = usage;
  return { ...usage, models: [{ model, inputTokens, outputTokens, cachedInputTokens }] };
}
