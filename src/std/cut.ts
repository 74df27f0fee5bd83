/** The beginning of a text that is too long, never ending in half a character. */
export function cutAt(text: string, limit: number): { kept: string; cut: number } {
  if (text.length <= limit) return { kept: text, cut: 0 };
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  const end = splitsPair ? limit - 1 : limit;
  return { kept: text.slice(0, end), cut: text.length - end };
}
