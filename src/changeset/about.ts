/** What is kept of a reply with its changeset, for people to read later. */
import type { Compiled } from "../change/compile.ts";
import type { About } from "./proposal.ts";

export function aboutReply({ steps }: Compiled, more: Omit<About, "operations"> = {}): About {
  const operations = steps.map(({ index, operation, path, description, after, sha256 }) => ({
    index,
    operation,
    path,
    description,
    ...(after && sha256 && { bytes: after.length, sha256 }),
  }));
  return { operations, ...more };
}
