/**
 * The port to whoever looks at what lies outside the desks, where the system does not hold agents to theirs. Two looks are
 * compared; what differs was written in between, by an agent or by somebody else.
 */
import type { Sight } from "../git/repository.ts";

export interface Lookout {
  /** Whether agents can leave their desks here; asked before each turn. */
  isNeeded(): boolean;
  /** The system said that it holds agents to their desks, and once it did not: it is not believed any more. */
  distrust(): void;
  /** `desks` are names of those that nobody works at. */
  look(wish: { readonly desks: readonly string[]; readonly since?: Sight }): Promise<Sight>;
}
