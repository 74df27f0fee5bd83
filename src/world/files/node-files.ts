/**
 * Files on Linux, with every call relative to a pinned descriptor.
 *
 * Node has no openat(2), but the kernel resolves `/proc/self/fd/N/name` in the folder that descriptor N has open,
 * whatever has been renamed or swapped above it since. With O_NOFOLLOW on the one remaining component this gives the
 * same guarantee without a native module.
 */
import { descriptorFiles } from "./descriptor-files.ts";
import type { Files } from "./files.ts";

export function nodeFiles(): Files {
  return descriptorFiles((folder) => `/proc/self/fd/${folder.fd}`);
}
