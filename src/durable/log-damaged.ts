/** A log is not as we wrote it, or somebody else is writing to it too. `code` says which. */
export class LogDamaged extends Error {
  override name = "LogDamaged";

  constructor(
    readonly code: DamageCode,
    readonly log: string,
    why: string,
    readonly place?: { readonly line: number; readonly offset: number },
  ) {
    super(place ? `${log}, line ${place.line} (byte ${place.offset}): ${why}` : `${log}: ${why}`);
  }
}

/**
 * - `LOG_CORRUPT`: a record is not as it was written.
 * - `LOG_LOST_TAIL`: durable records are missing at the end.
 * - `LOG_VERSION`: a newer program wrote it.
 * - `LOG_FOREIGN`: somebody else wrote to it while it was ours.
 * - `STATE_BAD`: this version cannot read a file that belongs to the log.
 * - `STATE_UNSAFE`: it is not a file that we may write.
 * - `LOG_FULL`: it is sound, but has reached its maximum size.
 */
export type DamageCode =
  | "LOG_CORRUPT"
  | "LOG_LOST_TAIL"
  | "LOG_VERSION"
  | "LOG_FOREIGN"
  | "LOG_FULL"
  | "STATE_BAD"
  | "STATE_UNSAFE";
