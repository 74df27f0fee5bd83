/**
 * Wraps `Files` so that they fail for good once the disk has failed to keep something.
 *
 * After a failed fsync the kernel may have dropped the very pages we asked for, and a second fsync that succeeds says
 * nothing about them. So nothing is retried and nothing more is acknowledged: every later call throws the same
 * `DiskFailed`, the process ends, and the next one reads what is really there.
 */
import { errnoOf } from "../world/files/errno.ts";
import type { Files } from "../world/files/files.ts";

export function guard(files: Files): Files {
  let failed: DiskFailed | undefined;

  const fail = (error: unknown): never => {
    failed ??= new DiskFailed(error);
    throw failed;
  };
  const check = (): void => {
    if (failed) throw failed;
  };

  const guarded = Object.create(files) as { -readonly [call in keyof Files]: Files[call] };
  for (const call of mutating) {
    guarded[call] = ((...given: never[]) => {
      check();
      return (files[call] as (...given: never[]) => unknown).apply(files, given);
    }) as never;
  }
  guarded.sync = (handle) => {
    check();
    try {
      files.sync(handle);
    } catch (error) {
      fail(error);
    }
  };
  guarded.syncAll = async (handles) => {
    check();
    await files.syncAll(handles).catch(fail);
  };
  guarded.syncData = async (file) => {
    check();
    await files.syncData(file).catch(fail);
  };
  return guarded;
}

const mutating = [
  "makeFolder",
  "removeFolder",
  "write",
  "truncate",
  "chmod",
  "setModified",
  "link",
  "rename",
  "unlink",
] as const satisfies readonly (keyof Files)[];

/** The disk did not keep what it was asked to keep. `code` is IO_ followed by the errno name. */
export class DiskFailed extends Error {
  override name = "DiskFailed";
  readonly code: string;

  /** `consequence` says what this means for the current work. */
  constructor(cause: unknown, consequence = "the next cox command finishes it or undoes it") {
    const errno = errnoOf(cause) ?? "UNKNOWN";
    super(`the disk failed (${errno}); ${consequence}`, { cause });
    this.code = `IO_${errno}`;
  }
}
