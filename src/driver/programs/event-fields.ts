/** Reads fields of an event that may hold anything: a value of the wrong type counts as missing. */
export function textField(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Any value as text. `String` throws for an object with a `toString` of its own. */
export function wordField(value: unknown): string {
  return textField(value) ?? JSON.stringify(value) ?? "nothing";
}

export function countField(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

export function recordField(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listField(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Dollars as a client reports them, converted to millionths. */
export function usdMicrosField(value: unknown): number {
  return typeof value === "number" ? countField(value * 1_000_000) : 0;
}
