/** A number of bytes as a person says it: "842 B", "1.4 KB", "12 MB". Powers of 1,024, as file managers count. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 10 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${digits} ${units[unit]}`;
}

const units = ["B", "KB", "MB", "GB", "TB"];
