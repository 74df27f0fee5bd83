/** How much of what an agent prints is kept, and when it is ended for printing more. */
export const outputCaps = {
  /** Of each stream. The largest reply that is read has fewer: what is cut was no reply. */
  keepBytes: 8 * 1024 * 1024,
  /** Of both together. */
  bytesMax: 64 * 1024 * 1024,
};
