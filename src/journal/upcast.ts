/**
 * Converts events of older versions to today's, one version at a time, so the rest of the code never sees an old one.
 *
 * Upcasters are pure and return one event for one: numbers, times and the chain stay as they were written. When an
 * event changes its meaning or its data, raise `eventVersion` by one and add the step from the previous version here.
 */
export const eventVersion = 1;

export const upcasters: Upcasters = {};

/** Keyed by the version they convert from. */
export type Upcasters = Readonly<Record<number, Upcaster>>;
export type Upcaster = (old: SomeEvent) => SomeEvent;

/** An event that may or may not be known. */
export interface SomeEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Undefined when its version cannot be converted to the wanted one. */
export function upcast(
  { v, event, data }: SomeEvent & { readonly v: number },
  to: { readonly version: number; readonly upcasters: Upcasters },
): SomeEvent | undefined {
  let now: SomeEvent = { event, data };
  for (let version = v; version < to.version; version++) {
    const step = to.upcasters[version];
    if (!step) return undefined;
    now = step(now);
  }
  return v > to.version ? undefined : now;
}
