/** Long walks are synchronous, because that is several times faster; now and then they let others have a turn. */
const stepsBetween = 500;

export function breather(): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % stepsBetween !== 0) return undefined;
    return new Promise((resolve) => setImmediate(resolve));
  };
}
