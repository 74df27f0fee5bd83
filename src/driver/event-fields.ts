/** Reads fields of an event that may hold anything: what is not of the wanted kind is not there. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Dollars as a client says them, in millionths. */
export function usdMicrosOf(value: unknown): number {
  return typeof value === "number" ? countOf(value * 1_000_000) : 0;
}
