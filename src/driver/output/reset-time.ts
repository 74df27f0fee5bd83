/**
 * When a limit is lifted, in milliseconds since 1970, if that was reported: by a program's event or header, or in the
 * words of a model's server, which most programs pass on unchanged. A time of day is not used: its time zone is
 * unknown.
 */
import type { Trouble } from "../programs/agent-client.ts";

export interface ResetWords {
  readonly trouble: Trouble;
  /** Reported by an event, in seconds since 1970. */
  readonly reportedReset: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function resetTime({
  trouble: { message, retryAfterMs },
  reportedReset,
  now,
}: ResetWords): number | undefined {
  if (reportedReset !== undefined) return reportedReset * 1000;
  const [, seconds] = /\|(\d{10})\b/.exec(message) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const inMs = retryAfterMs ?? waitIn(message);
  return inMs === undefined ? undefined : Math.ceil((now + inMs) / 1000) * 1000;
}

/** "try again in 6m0s", "ask again in 20 s", "retryDelay": "37s", "retry-after: 30". */
function waitIn(message: string): number | undefined {
  const [, words] =
    /\bagain (?:in|after) ([\d][\w., ]{0,60})/i.exec(message) ??
    /\bretry[-_ ]?(?:after|delay)["':= ]{1,5}(\d[\w.]{0,20})/i.exec(message) ??
    [];
  if (words === undefined) return undefined;
  const parts = [
    ...words.matchAll(
      /(\d+(?:\.\d+)?) ?(ms|milliseconds?|[dhms]\b|[dhms](?=\d)|days?|hours?|min(?:ute)?s?|sec(?:ond)?s?)?/gi,
    ),
  ];
  let ms = 0;
  for (const [index, [, amount, unit]] of parts.entries()) {
    // A number without a unit means seconds if it comes first; later it belongs to other words.
    if (unit === undefined && index > 0) break;
    ms += Number(amount) * unitMs(unit ?? "s");
  }
  return ms > 0 && ms <= longestMs ? ms : undefined;
}

function unitMs(unit: string): number {
  const lower = unit.toLowerCase();
  if (lower.startsWith("ms") || lower.startsWith("milli")) return 1;
  return { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }[lower.charAt(0)] ?? 1000;
}

/** Limits are per minute, day or week; anything longer was misread. */
const longestMs = 40 * 86_400_000;
