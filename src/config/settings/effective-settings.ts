/** The value of each setting and where it came from: of all the places that set it, the nearest wins. */
import type { Settings } from "../../plan/plan.ts";
import type { Defaulted } from "./default-settings.ts";

/** From the farthest to the nearest. */
const origins = ["default", "user", "config", "plan", "command line"] as const;
export type Origin = (typeof origins)[number];

export interface SettingsByOrigin {
  readonly defaults: Settings & Required<Pick<Settings, Defaulted>>;
  /** The user's own settings, for all repositories. */
  readonly user?: Settings;
  readonly config?: Settings;
  readonly plan?: Settings;
  readonly commandLine?: Settings;
}

export interface Sourced<T> {
  readonly value: T;
  readonly origin: Origin;
}

type Said<K extends keyof Settings> = Sourced<NonNullable<Settings[K]>>;

/** Every setting that has a value; those with a default always have one. */
export type EffectiveSettings = { readonly [K in Exclude<keyof Settings, Defaulted>]?: Said<K> } & {
  readonly [K in Defaulted]: Said<K>;
};

export function effectiveSettings(said: SettingsByOrigin): EffectiveSettings {
  const layers: Readonly<Record<Origin, Settings | undefined>> = {
    default: said.defaults,
    user: said.user,
    config: said.config,
    plan: said.plan,
    "command line": said.commandLine,
  };
  const effective = new Map<string, Sourced<unknown>>();
  for (const origin of origins) {
    for (const [name, value] of Object.entries(layers[origin] ?? {})) {
      if (value !== undefined) effective.set(name, { value, origin });
    }
  }
  const ordered = [...effective].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(ordered) as EffectiveSettings;
}

type Plain = Settings & { readonly [K in Defaulted]: NonNullable<Settings[K]> };

/** Only the values. */
export function settingsOf(effective: EffectiveSettings): Plain {
  const values = Object.entries(effective).map(([name, { value }]) => [name, value] as const);
  return Object.fromEntries(values) as unknown as Plain;
}
