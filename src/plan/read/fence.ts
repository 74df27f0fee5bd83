/** The opening and closing of a code fence: three or more backticks or tildes. */
export interface FenceMark {
  readonly mark: string;
  readonly length: number;
}

export function fenceAt(text: string, at: number, end: number): FenceMark | undefined {
  const mark = text[at];
  if (mark !== "`" && mark !== "~") return undefined;
  const length = runLength(text, at, end, mark);
  if (length < 3) return undefined;
  // Backticks after the opening backticks make it a code span inside a line.
  if (mark === "`" && text.slice(at + length, end).includes("`")) return undefined;
  return { mark, length };
}

export function closesFence(
  text: string,
  { first, end }: { readonly first: number; readonly end: number },
  fence: FenceMark,
): boolean {
  const length = runLength(text, first, end, fence.mark);
  return length >= fence.length && text.slice(first + length, end).trim() === "";
}

function runLength(text: string, at: number, end: number, mark: string): number {
  let length = 0;
  while (at + length < end && text[at + length] === mark) length += 1;
  return length;
}
