/** Words of others, with a full stop where they end without one, so that a sentence of ours can follow. */
export function sentence(text: string): string {
  const trimmed = text.trimEnd();
  return /[.!?…]["')\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
