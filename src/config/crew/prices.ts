/**
 * Prices of well-known models, in US dollars per million tokens, as their vendors listed them at the date below: for
 * agents that report their usage but not its cost. A model that is not listed has no price; nothing is guessed from a
 * similar name. `prices:` in a configuration comes first.
 */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For input read from a cache; if missing, it costs the same as other input. */
  readonly cached?: number;
}

export type Prices = Readonly<Record<string, Price>>;

/** The date of the table below; shown wherever an estimate is explained. */
export const pricesDate = "2026-10";

const price = (input: number, output: number, cached: number): Price => ({ input, output, cached });

const table: Prices = {
  // Anthropic
  "claude-opus-5-5": price(4, 20, 0.2),
  "claude-opus-5": price(5, 25, 0.5),
  "claude-opus-4-8": price(5, 25, 0.5),
  "claude-opus-4-5": price(5, 25, 0.5),
  "claude-sonnet-5-5": price(2, 10, 0.1),
  "claude-sonnet-5": price(2, 10, 0.2),
  "claude-sonnet-4-6": price(3, 15, 0.3),
  "claude-sonnet-4-5": price(3, 15, 0.3),
  "claude-haiku-4-5": price(1, 5, 0.1),
  // OpenAI
  "gpt-5.6": price(5, 30, 0.5),
  "gpt-5.5": price(5, 30, 0.5),
  "gpt-5.4": price(2.5, 15, 0.25),
  "gpt-5.4-mini": price(0.75, 4.5, 0.075),
  "gpt-5.3-codex": price(1.75, 14, 0.175),
  "gpt-5.2": price(1.75, 14, 0.175),
  "gpt-5.1": price(1.25, 10, 0.125),
  "gpt-5": price(1.25, 10, 0.125),
  "gpt-5-mini": price(0.25, 2, 0.025),
  "gpt-4.1": price(2, 8, 0.5),
  // Google; for prompts up to 200,000 tokens.
  "gemini-3.6-flash": price(1.5, 7.5, 0.15),
  "gemini-3.5-flash": price(1.5, 9, 0.15),
  "gemini-3.1-pro-preview": price(2, 12, 0.2),
  "gemini-3-flash-preview": price(0.5, 3, 0.05),
  "gemini-2.5-pro": price(1.25, 10, 0.125),
  "gemini-2.5-flash": price(0.3, 2.5, 0.03),
  "gemini-2.5-flash-lite": price(0.1, 0.4, 0.01),
};

/** Looked up by the full name, then by the name without the vendor before it and the date after it. */
export function priceOf(model: string, own: Prices = {}): Price | undefined {
  const names = [model, plainName(model)];
  return find(own, names) ?? find(table, names);
}

function find(prices: Prices, names: readonly string[]): Price | undefined {
  const name = names.find((one) => Object.hasOwn(prices, one));
  return name === undefined ? undefined : prices[name];
}

/** "anthropic/claude-sonnet-4-5-20250929[1m]" → "claude-sonnet-4-5". */
function plainName(model: string): string {
  return model
    .slice(model.lastIndexOf("/") + 1)
    .replace(/\[[^\]]*\]$/, "")
    .replace(/[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");
}
