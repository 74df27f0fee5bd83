/** How much of an agent's output is kept, and how much it may print before it is ended. */
export const outputCaps = {
  /** Per stream. The largest reply that we read is smaller, so nothing that is cut was a reply. */
  keepBytes: 8 * 1024 * 1024,
  /** Both streams together. */
  bytesMax: 64 * 1024 * 1024,
};
