/**
 * Events of older versions → those of today, one version at a time, so that nothing else ever meets an old one.
 *
 * Upcasters are pure and answer with one event for one: numbers, moments and the chain stay as they were written. When an
 * event changes its meaning or its data, `eventVersion` goes up by one and the step from the version before is added here.
 */
export const eventVersion = 1;

export const upcasters: Upcasters = {};

/** By the version they take an event from. */
export type Upcasters = Readonly<Record<number, Upcaster>>;
export type Upcaster = (old: SomeEvent) => SomeEvent;

/** An event of which nobody has yet said that it is known. */
export interface SomeEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Nothing when there is no way from its version to the wanted one. */
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
