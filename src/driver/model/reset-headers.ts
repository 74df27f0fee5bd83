/**
 * When a rate limit of a model's server is lifted, from the headers of its refusal. Vendors send seconds, a date,
 * seconds since 1970, or "6m0s". Among several limits, the one that is used up counts.
 */
export function resetInHeaders(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), String(value).trim()] as const,
  );
  const all = new Map(entries);
  const after = afterMs(all, now);
  if (after !== undefined) return now + after;
  const unified = timeIn(all.get("anthropic-ratelimit-unified-reset"), now);
  if (unified !== undefined) return unified;
  const limits = entries.flatMap(([name, value]) => {
    const [, limit] =
      /^anthropic-ratelimit-(.+)-reset$/.exec(name) ?? /^x-ratelimit-reset-(.+)$/.exec(name) ?? [];
    const at = limit === undefined ? undefined : timeIn(value, now);
    return limit === undefined || at === undefined ? [] : [{ at, isUsedUp: remaining(all, limit) === "0" }];
  });
  const usedUp = limits.filter(({ isUsedUp }) => isUsedUp);
  const times = (usedUp.length > 0 ? usedUp : limits).map(({ at }) => at);
  return times.length === 0 ? undefined : Math.max(...times);
}

type Headers = ReadonlyMap<string, string>;

function remaining(headers: Headers, limit: string): string | undefined {
  return (
    headers.get(`anthropic-ratelimit-${limit}-remaining`) ?? headers.get(`x-ratelimit-remaining-${limit}`)
  );
}

function afterMs(headers: Headers, now: number): number | undefined {
  const ms = Number(headers.get("retry-after-ms") || Number.NaN);
  if (isSensible(ms)) return ms;
  const value = headers.get("retry-after") || "";
  const seconds = Number(value || Number.NaN);
  if (isSensible(seconds * 1000)) return seconds * 1000;
  const at = Date.parse(value);
  return isSensible(at - now) ? at - now : undefined;
}

/** The longest that any vendor sends is a month. */
const longestMs = 40 * 24 * 60 * 60 * 1000;

function isSensible(ms: number): boolean {
  return ms >= 0 && ms <= longestMs;
}

function timeIn(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value === "") return undefined;
  const at = /^\d{10}$/.test(value) ? Number(value) * 1000 : (durationAt(value, now) ?? Date.parse(value));
  return isSensible(at - now) ? at : undefined;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "1s", "6m0s", "20ms", "1.5s". */
function durationAt(value: string, now: number): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(value)) return undefined;
  const parts = value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0), now);
}
