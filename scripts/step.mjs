/**
 * One line on stderr per step, with how long it took: the name when it starts, the time when it ends, so that
 * whoever waits sees what for.
 */
export async function step(name, work) {
  process.stderr.write(`${name} …`);
  const started = performance.now();
  try {
    const result = await work();
    process.stderr.write(` ${duration(performance.now() - started)}\n`);
    return result;
  } catch (error) {
    process.stderr.write(` failed after ${duration(performance.now() - started)}\n`);
    throw error;
  }
}

export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
}
