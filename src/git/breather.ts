/** Long walks are synchronous, because that is several times faster. Now and then they pause to let other work run. */
const stepsBetween = 500;

export function breather(): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % stepsBetween !== 0) return undefined;
    return new Promise((resolve) => setImmediate(resolve));
  };
}
