/** Whether two parsed JSON values are equal; the order of keys does not matter. Both are at most 64 levels deep. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) =>
    sameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  );
}
