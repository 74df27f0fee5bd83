/** How much of what an agent prints is kept, and when it is ended for printing more: for each stream. */
export const outputCaps = {
  /** The largest reply that is read has fewer: what is cut was no reply. */
  keepBytes: 8 * 1024 * 1024,
  bytesMax: 64 * 1024 * 1024,
};
