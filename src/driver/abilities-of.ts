/**
 * What an agent of a driver can do, for people who choose one. Derived from the driver and the client where possible,
 * so that it always matches what they do; the rest is `unknown`.
 */

import type { Driver } from "./driver.ts";
import type { AgentClient } from "./programs/agent-client.ts";
import { clients } from "./programs/clients.ts";

export type Abilities = {
  readonly desk: Can;
  readonly proposal: Can;
  /** Can resume an earlier conversation. */
  readonly resume: Can;
  /** Has a read-only switch of its own, in addition to the desk that the system makes read-only. */
  readonly "read-only": Can;
  /** Accepts an MCP server for one turn. */
  readonly mcp: Can;
  readonly usage: Can;
  /** Reports its cost itself; otherwise the cost is estimated from a table. */
  readonly cost: Can;
};

export type Can = "yes" | "no" | "unknown";

export function abilitiesOf({
  name,
  modes,
  canResume,
  takesServer = false,
}: Pick<Driver, "name" | "modes" | "canResume" | "takesServer">): Abilities {
  const client = clients.find((one) => one.name === name);
  return {
    desk: said(modes.includes("desk")),
    proposal: said(modes.includes("proposal")),
    resume: said(canResume),
    mcp: said(takesServer),
    ...(client ? ofClient(client) : (others[name] ?? unknown)),
  };
}

type Rest = Pick<Abilities, "read-only" | "usage" | "cost">;

function ofClient({ start, tellsCost = false }: AgentClient): Rest {
  const options = { model: undefined, isReadOnly: false, scratch: "", environment: {} };
  const isSwitched =
    JSON.stringify(start(options)) !== JSON.stringify(start({ ...options, isReadOnly: true }));
  return { "read-only": said(isSwitched), usage: "yes", cost: said(tellsCost) };
}

/** Their usage is known only if they report it. */
const reporting: Rest = { "read-only": "no", usage: "unknown", cost: "unknown" };
const unknown: Rest = { "read-only": "unknown", usage: "unknown", cost: "unknown" };
const others: Readonly<Record<string, Rest>> = {
  command: reporting,
  scripted: reporting,
  // It has no tools that write.
  model: { "read-only": "yes", usage: "yes", cost: "no" },
};

function said(can: boolean): Can {
  return can ? "yes" : "no";
}
