/** An elapsed time in its two largest units: "31s", "4m07s", "2h05m", "3d04h". */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds}s`;
  if (hours === 0) return `${minutes}m${two(seconds % 60)}s`;
  if (hours < 24) return `${hours}h${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d${two(hours % 24)}h`;
}

function two(count: number): string {
  return String(count).padStart(2, "0");
}
