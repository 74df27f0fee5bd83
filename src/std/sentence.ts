/** Foreign words, with a full stop added if they end without one, so that a sentence of ours can follow. */
export function sentence(text: string): string {
  const trimmed = text.trimEnd();
  return /[.!?…]["')\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
