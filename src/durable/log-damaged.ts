/** What we wrote earlier is not there as we wrote it, or somebody else writes it too. `code` says in which way. */
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
 * `LOG_CORRUPT`: a record is not as it was written. `LOG_LOST_TAIL`: records that were durable are missing at the
 * end. `LOG_VERSION`: a newer program wrote it. `LOG_FOREIGN`: somebody else wrote it behind our back. `STATE_BAD`: what
 * stands beside the log cannot be read by this version. `STATE_UNSAFE`: it is no file that we may write. `LOG_FULL`:
 * it is sound, and as long as one may be.
 */
export type DamageCode =
  | "LOG_CORRUPT"
  | "LOG_LOST_TAIL"
  | "LOG_VERSION"
  | "LOG_FOREIGN"
  | "LOG_FULL"
  | "STATE_BAD"
  | "STATE_UNSAFE";
