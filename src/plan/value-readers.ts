/**
 * The types of values in plans: durations, counts, budgets, priorities, choices. A reader returns the value, or what
 * was expected, so that every mistake is reported in the same words.
 */
import { grouped } from "../std/counted.ts";

export type ReadResult<T> = { readonly value: T } | Unread;

export interface Unread {
  /** Completes "… must be": what would have been accepted. */
  readonly expected: string;
  readonly example: string;
}

export interface Reader<T> {
  (text: string): ReadResult<T>;
  /** The placeholder for the value where its syntax is shown: `1-64`, `DURATION`, `ask|auto`. */
  readonly argument: string;
  /** The possible values, if they are few. */
  readonly choices?: readonly string[];
}

function reader<T>(
  argument: string,
  read: (text: string) => ReadResult<T>,
  choices?: readonly string[],
): Reader<T> {
  return Object.assign(read, { argument, ...(choices && { choices }) });
}

/** Any text; `argument` says what it is. */
export function readText(argument: string): Reader<string> {
  return reader(argument, (text) => ({ value: text }));
}

export type Priority = "critical" | "high" | "normal" | "low";

/** A missing field means no limit. */
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
export const readDuration: Reader<number> = reader("DURATION", (text) => {
  const unread = { expected: "a duration with its unit, from 1 s to 7 d", example: "15 m" };
  if (!/^(?:\d{1,12}(?:\.\d{1,3})?[ \t]*[a-z]+[ \t]*)+$/i.test(text) || text.length > 40) return unread;
  let sum = 0;
  for (const [, amount, unit = ""] of text.matchAll(/([\d.]+)[ \t]*([a-z]+)/gi)) {
    sum += Number(amount) * (unitMs.get(unit.toLowerCase()) ?? Number.NaN);
  }
  return sum >= durationMinMs && sum <= durationMaxMs ? { value: Math.round(sum) } : unread;
});

export function readCount(min: number, max: number): Reader<number> {
  const unread = { expected: `a whole number from ${grouped(min)} to ${grouped(max)}`, example: String(min) };
  return reader(`${min}-${max}`, (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? { value } : unread;
  });
}

/** A folder or file by its absolute path, or relative to the user's home. */
export const readPlace: Reader<string> = reader("PATH", (text) =>
  /^(~\/|\/)[^/]/.test(text) && !/(^|\/)\.\.?(\/|$)/.test(text)
    ? { value: text.replace(/\/+$/, "") }
    : { expected: "a path from / or ~/, without . and ..", example: "~/.cache/ms-playwright" },
);

export const readPercent: Reader<number> = reader("0-100%", (text) => {
  const value = /^\d{1,3}(?:\.\d{1,3})?[ \t]*%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  return value >= 0 && value <= 100 ? { value } : { expected: "a percentage from 0 to 100", example: "10 %" };
});

export const readFlag: Reader<boolean> = reader(
  "true|false",
  (text) => {
    const word = text.toLowerCase();
    if (["true", "yes", "on"].includes(word)) return { value: true };
    if (["false", "no", "off"].includes(word)) return { value: false };
    return { expected: "true or false", example: "true" };
  },
  ["true", "false"],
);

export function readChoice<T extends string>(...choices: readonly [T, ...T[]]): Reader<T> {
  const read = (text: string): ReadResult<T> => {
    const word = text.toLowerCase().replaceAll("_", "-");
    const value = choices.find((choice) => choice === word);
    return value ? { value } : { expected: choices.join(" | "), example: choices[0] };
  };
  return reader(choices.join("|"), read, choices);
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

const priorityNames: readonly Priority[] = ["critical", "high", "normal", "low"];

export const readPriority: Reader<Priority> = reader(
  priorityNames.join("|"),
  (text) => {
    const value = priorities.get(text.toLowerCase());
    return value ? { value } : { expected: priorityNames.join(" | "), example: "high" };
  },
  priorityNames,
);

const moneyMax = 1_000_000;

/** `5 USD`, `$5`, `200k tokens`, `10 turns`, `2 h`, or several separated by commas. */
export const readBudget: Reader<Budget> = reader("AMOUNT", (text) => {
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
});

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
