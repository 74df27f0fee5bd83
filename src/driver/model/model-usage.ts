/** Usage by model, and its total. */
import type { ModelUsage, Usage } from "../driver.ts";

/** The total, together with the usage of each model. */
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

/**
 * Assigns the usage to `model` if the agent does not name one: the model it was asked to use, or its default, whose
 * name we do not know.
 */
export function withModel(usage: Usage, model: string): Usage {
  if (usage.models !== undefined && usage.models.length > 0) return usage;
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 } = usage;
  return { ...usage, models: [{ model, inputTokens, outputTokens, cachedInputTokens }] };
}
