/**
 * Reads a command agent's usage reports: lines at column 0 of its stdout, `COX USAGE:
 * {"input_tokens":1,"output_tokens":1,"usd":0.01}`. Each line is one request to a model, so several add up. A line that
 * cannot be read makes the turn's usage partial; it never counts as zero.
 */
import { oneLine, quote } from "../../std/printable.ts";
import type { ModelUsage, Usage } from "../driver.ts";
import { WholeLines } from "../output/whole-lines.ts";

export const usagePrefix = "COX USAGE:";

/** Anything larger is not a report of one request but a mistake, or an attempt to spoil the sum. */
const tokensMax = 1_000_000_000;
const usdMax = 10_000;
/** Longer than any report; only the beginning of a longer line is kept. */
const lineMax = 4_096;
const problemsMax = 5;

export class UsageReports {
  readonly #model: string | undefined;
  readonly #lines = new WholeLines({ piece: 64 * 1024, line: lineMax });
  readonly #problems: string[] = [];
  #inputTokens = 0;
  #outputTokens = 0;
  #usdMicros: number | undefined;
  /** The sum of the reports without a cost. */
  #unpriced = { inputTokens: 0, outputTokens: 0 };
  #isUnpriced = false;
  #reports = 0;
  #bad = 0;

  /** `model` is the agent's model according to the configuration. */
  constructor(model: string | undefined) {
    this.#model = model;
  }

  /** Takes bytes of stdout as they arrive. */
  hear(bytes: Uint8Array): void {
    this.#lines.push(bytes, (text, leftOut) => this.#read(text, leftOut));
  }

  /** Call this when no more output will come. */
  end(): void {
    this.#lines.end((text, leftOut) => this.#read(text, leftOut));
  }

  /** Why reports could not be read, in words; only the first few. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** `undefined` when nothing was reported. */
  get usage(): Usage | undefined {
    if (this.#reports + this.#bad === 0) return undefined;
    const additional = this.#isUnpriced && this.#model !== undefined ? [this.#additional(this.#model)] : [];
    const isPartial = this.#bad > 0 || (this.#isUnpriced && this.#model === undefined);
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      ...(this.#usdMicros !== undefined && { usdMicros: this.#usdMicros }),
      ...(additional.length > 0 && { additional }),
      ...(isPartial && { isPartial }),
    };
  }

  #additional(model: string): ModelUsage {
    return { model, ...this.#unpriced };
  }

  #read(text: string, leftOut: number): void {
    for (const line of text.split("\n")) {
      if (!line.startsWith(usagePrefix)) continue;
      const report = leftOut > 0 ? { wrong: "it is too long" } : reportIn(line.slice(usagePrefix.length));
      if ("wrong" in report) this.#refuse(line, report.wrong);
      else this.#add(report);
    }
  }

  #add({ inputTokens, outputTokens, usdMicros }: Report): void {
    this.#reports += 1;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    if (usdMicros !== undefined) {
      this.#usdMicros = (this.#usdMicros ?? 0) + usdMicros;
      return;
    }
    this.#isUnpriced = true;
    this.#unpriced.inputTokens += inputTokens;
    this.#unpriced.outputTokens += outputTokens;
  }

  #refuse(line: string, wrong: string): void {
    this.#bad += 1;
    if (this.#problems.length < problemsMax)
      this.#problems.push(`${quote(oneLine(line, 200), 200)}: ${wrong}`);
  }
}

interface Report {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usdMicros: number | undefined;
}

function reportIn(text: string): Report | { readonly wrong: string } {
  const said = objectIn(text);
  if (said === undefined) return { wrong: "it is not a JSON object" };
  const { input_tokens: input, output_tokens: output, usd } = said;
  for (const [name, value] of Object.entries({ input_tokens: input, output_tokens: output }))
    if (value !== undefined && !isCount(value))
      return { wrong: `${name} must be a whole number from 0 to ${tokensMax}` };
  if (usd !== undefined && !isDollars(usd)) return { wrong: `usd must be a number from 0 to ${usdMax}` };
  if (usd === undefined && (input === undefined || output === undefined))
    return { wrong: "it needs usd, or input_tokens and output_tokens" };
  return {
    inputTokens: (input as number | undefined) ?? 0,
    outputTokens: (output as number | undefined) ?? 0,
    usdMicros: usd === undefined ? undefined : Math.round((usd as number) * 1_000_000),
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= tokensMax;
}

function isDollars(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= usdMax;
}

/** The output without usage reports: these are for the coordinator and not part of the reply. */
export function withoutUsageReports(printed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength);
  const kept: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(usagePrefix); at !== -1; ) {
    const isLine = at === 0 || bytes[at - 1] === lineFeed;
    const lineEnd = bytes.indexOf(lineFeed, at);
    const after = lineEnd === -1 ? bytes.length : lineEnd + 1;
    if (isLine) {
      kept.push(bytes.subarray(from, at));
      from = after;
    }
    at = bytes.indexOf(usagePrefix, isLine ? after : at + 1);
  }
  return from === 0 ? printed : Buffer.concat([...kept, bytes.subarray(from)]);
}

const lineFeed = 0x0a;
