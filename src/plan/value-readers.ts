/**
 * The types of values in plans: durations, counts, budgets, priorities, choices. A reader answers with the value,
 * or with what was expected, so that every mistake is told in the same words.
 */
import { grouped } from "../std/counted.ts";

export type Reading<T> = { readonly value: T } | Unread;

export interface Unread {
  /** Completes "… must be": what would have been read. */
  readonly expected: string;
  readonly example: string;
}

export type Reader<T> = (text: string) => Reading<T>;

export type Priority = "critical" | "high" | "normal" | "low";

/** Whatever is not said is not limited. */
export interface Budget {
  /** Millionths of a dollar: sums of money are whole numbers. */
  readonly usdMicros?: number;
  readonly tokens?: number;
  readonly turns?: number;
  readonly timeMs?: number;
}

const unitMs: ReadonlyMap<string, number> = new Map([
  ...spelled(["ms", "millisecond", "milliseconds"], 1),
  ...spelled(["s", "sec", "secs", "second", "seconds"], 1000),
  ...spelled(["m", "min", "mins", "minute", "minutes"], 60_000),
  ...spelled(["h", "hr", "hrs", "hour", "hours"], 3_600_000),
  ...spelled(["d", "day", "days"], 86_400_000),
]);

const durationMinMs = 1000;
/** Well below 2^31 ms, above which a timer fires at once. */
const durationMaxMs = 7 * 86_400_000;

/** `15 m`, `1h 30m`, `90 s`; from a second to seven days. */
export const readDuration: Reader<number> = (text) => {
  const unread = { expected: "a duration with its unit, from 1 s to 7 d", example: "15 m" };
  if (!/^(?:\d{1,12}(?:\.\d{1,3})?[ \t]*[a-z]+[ \t]*)+$/i.test(text) || text.length > 40) return unread;
  let sum = 0;
  for (const [, amount, unit = ""] of text.matchAll(/([\d.]+)[ \t]*([a-z]+)/gi)) {
    sum += Number(amount) * (unitMs.get(unit.toLowerCase()) ?? Number.NaN);
  }
  return sum >= durationMinMs && sum <= durationMaxMs ? { value: Math.round(sum) } : unread;
};

export function readCount(min: number, max: number): Reader<number> {
  const unread = { expected: `a whole number from ${grouped(min)} to ${grouped(max)}`, example: String(min) };
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? { value } : unread;
  };
}

export const readPercent: Reader<number> = (text) => {
  const value = /^\d{1,3}(?:\.\d{1,3})?[ \t]*%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  return value >= 0 && value <= 100 ? { value } : { expected: "a percentage from 0 to 100", example: "10 %" };
};

export const readFlag: Reader<boolean> = (text) => {
  const word = text.toLowerCase();
  if (["true", "yes", "on"].includes(word)) return { value: true };
  if (["false", "no", "off"].includes(word)) return { value: false };
  return { expected: "true or false", example: "true" };
};

export function readChoice<T extends string>(...choices: readonly [T, ...T[]]): Reader<T> {
  return (text) => {
    const word = text.toLowerCase().replaceAll("_", "-");
    const value = choices.find((choice) => choice === word);
    return value ? { value } : { expected: choices.join(" | "), example: choices[0] };
  };
}

const priorities: ReadonlyMap<string, Priority> = new Map([
  ["critical", "critical"],
  ["urgent", "critical"],
  ["p0", "critical"],
  ["high", "high"],
  ["p1", "high"],
  ["normal", "normal"],
  ["medium", "normal"],
  ["p2", "normal"],
  ["low", "low"],
  ["p3", "low"],
]);

export const readPriority: Reader<Priority> = (text) => {
  const value = priorities.get(text.toLowerCase());
  return value ? { value } : { expected: "critical | high | normal | low", example: "high" };
};

const moneyMax = 1_000_000;

/** `5 USD`, `$5`, `200k tokens`, `10 turns`, `2 h`, or several with commas between. */
export const readBudget: Reader<Budget> = (text) => {
  const unread = {
    expected: "an amount above zero of USD, tokens, turns or time",
    example: "5 USD, 200k tokens",
  };
  let budget: Budget = {};
  for (const part of text.split(/\s*,\s*(?!\d{3}\b)/)) {
    const share = budgetShare(part.replace(/,(?=\d{3}\b)/g, ""));
    if (!share || Object.keys(share).some((unit) => unit in budget)) return unread;
    budget = { ...budget, ...share };
  }
  return { value: budget };
};

function budgetShare(part: string): Budget | undefined {
  const money = /^(?:\$[ \t]*(\d{1,7}(?:\.\d{1,6})?)|(\d{1,7}(?:\.\d{1,6})?)[ \t]*(?:usd|\$))$/i.exec(part);
  if (money) {
    const amount = Number(money[1] ?? money[2]);
    return amount > 0 && amount <= moneyMax ? { usdMicros: Math.round(amount * 1e6) } : undefined;
  }
  const [, digits, scale = "", unit = ""] =
    /^(\d{1,9}(?:\.\d{1,3})?)[ \t]*([km])?[ \t]*(tokens?|turns?)$/i.exec(part) ?? [];
  if (digits !== undefined) {
    const amount = Number(digits) * ({ k: 1e3, m: 1e6 }[scale.toLowerCase()] ?? 1);
    if (!Number.isInteger(amount) || amount < 1) return undefined;
    return unit.toLowerCase().startsWith("turn") ? { turns: amount } : { tokens: amount };
  }
  const time = readDuration(part);
  return "value" in time ? { timeMs: time.value } : undefined;
}

function spelled(names: readonly string[], ms: number): [string, number][] {
  return names.map((name) => [name, ms]);
}
