/** "1 h 30 m": in full, as written in a plan, because it is a limit and not an elapsed time. */
export function timeLimit(ms: number): string {
  let left = ms;
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.join(" ") || "0 s";
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;
