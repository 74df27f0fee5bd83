/** The events that this version of the program knows, and how a log's records are read as them. */
import type { LogRecord } from "../durable/scan.ts";
import { eventNames } from "../kernel/evolve.ts";
import type { Recorded } from "./journal.ts";
import { eventVersion, type SomeEvent, type Upcasters, upcast, upcasters } from "./upcast.ts";

export interface LogVocabulary {
  readonly version: number;
  readonly upcasters: Upcasters;
  knows(event: string): boolean;
}

/** A record that a newer version, or somebody else, wrote. */
export type Unknown = Omit<Recorded, "event" | "data"> & SomeEvent & { readonly v: number };

/** The record as a current event; undefined when this version does not know it. */
export function understood(record: LogRecord, vocabulary: LogVocabulary): Recorded | undefined {
  const now = upcast(record, vocabulary);
  if (!now || !vocabulary.knows(now.event)) return undefined;
  const { event, data } = now;
  return { event, data, ...momentAndPlace(record) } as Recorded;
}

export function asWritten(record: LogRecord): Unknown {
  const { v, event, data } = record;
  return { v, event, data, ...momentAndPlace(record) };
}

function momentAndPlace({ at, t = 0, seq, fence }: LogRecord) {
  return { at: Date.parse(at), time: t, seq, fence };
}

export const runVocabulary: LogVocabulary = {
  version: eventVersion,
  upcasters,
  knows: (event) => eventNames.has(event),
};
