/** A number of bytes for people: "842 B", "1.4 KB", "12 MB". In powers of a thousand, as limits are given. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.95 and not 1000, so that rounding never gives "1000 KB".
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 10 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${digits} ${units[unit]}`;
}

const units = ["B", "KB", "MB", "GB", "TB"];
