/** Programs of others that need a newer Node than ours, with the Node that runs them. */
import { dirname } from "node:path";
import { type Fetchable, fetched } from "./fetched.ts";

export const node22: Fetchable = { name: "node", version: "22.23.3", program: "node" };

/** The beginning of a command line; the test is skipped where it cannot be had. */
export async function onNode22(
  program: Fetchable,
  skip: (reason: string) => never,
): Promise<readonly string[]> {
  const node = await fetched(node22);
  if ("missing" in node) return skip(node.missing);
  const found = await fetched(program);
  if ("missing" in found) return skip(found.missing);
  return [node.path, found.path];
}

export function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
}
