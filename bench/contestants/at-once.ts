/** Works through a list, a fixed number of items at a time. */
export async function atOnce<T>(
  many: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  async function worker(): Promise<void> {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  }
  await Promise.all(Array.from({ length: many }, worker));
}
