/** What a test can make happen at a call to the model: the end of the process, an error, or half a write. */

/**
 * The process ends here. Once thrown, every further call on the disk throws it too, because a dead process cannot clean
 * up.
 */
export class Crash extends Error {
  override name = "Crash";
}

/** Thrown by a hook at a write: `kept` bytes get through, then `failure` is thrown. */
export class TornWrite extends Error {
  override name = "TornWrite";
  readonly kept: number;
  readonly failure: Error;

  constructor(kept: number, failure: Error) {
    super(`${kept} bytes were written, then: ${failure.message}`);
    this.kept = kept;
    this.failure = failure;
  }
}

/** An error like those of the file system, with the errno name as its `code`. It has no stack. */
export function errno(code: string, about = "injected"): Error & { code: string } {
  const { stackTraceLimit } = Error;
  // Many reads find nothing and report that by throwing. Recording a stack trace would cost more than the rest of the
  // call.
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: ${about}`), { code });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
