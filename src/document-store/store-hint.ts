/** What a person can do about a faulty document log. The documents themselves are not affected. */
import { LogDamaged } from "../durable/log-damaged.ts";

export function storeHint(code: string): string {
  switch (code) {
    case "LOG_VERSION":
      return "Use the newer cox that wrote it.";
    case "LOG_FULL":
      return "Move it away, and cox starts a new one: mv .coxswain/documents .coxswain/documents-until-now. The documents are unchanged.";
    case "STATE_UNSAFE":
      return "See what it is and who may write it: ls -la .coxswain/documents. If it is only read-only, make it writable: chmod -R u+w .coxswain. The documents are unchanged.";
    default:
      return "Keep everything that can still be read, and the original: cox log --documents --repair. The documents are unchanged.";
  }
}

/** The same error, with a hint added if it is about the log. */
export function withWayOut(error: unknown): unknown {
  if (!(error instanceof LogDamaged)) return error;
  const isAtFault = error.code !== "LOG_FULL" && error.code !== "STATE_UNSAFE";
  const look = isAtFault ? "See: cox log --documents --verify. " : "";
  const where = error.code === "STATE_UNSAFE" ? { message: `.coxswain/documents/${error.message}` } : {};
  return Object.assign(error, { ...where, hint: `${look}${storeHint(error.code)}` });
}
