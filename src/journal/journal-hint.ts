/** What a person can do about a damaged journal. */
import type { DamageCode } from "../durable/log-damaged.ts";

export function journalHint(code: DamageCode): string {
  switch (code) {
    case "LOG_CORRUPT":
      return "See what is damaged: cox log --verify. Put events.jsonl back from a backup, or cut it off before the damage (the original is kept): cox log --repair";
    case "LOG_LOST_TAIL":
      return "Put events.jsonl back from a backup; or accept that the end is lost and continue with the rest: cox log --repair";
    case "LOG_VERSION":
      return "Use the newer cox that wrote it. Looking works with this one too: cox log, cox status";
    case "LOG_FOREIGN":
      return "Find out what else writes into the run's folder and end it. What was acknowledged is kept; then see: cox log --verify";
    case "LOG_FULL":
      return "Land what is done (cox land), and start a new run for the rest.";
    case "STATE_BAD":
      return "Use the newer cox that wrote it; or let this one rebuild it from the log: cox log --repair";
    case "STATE_UNSAFE":
      return "Look at it (ls -l) and put the regular file back that belongs there, writable by you.";
  }
}
