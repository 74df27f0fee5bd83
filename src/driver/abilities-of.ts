/**
 * What an agent of a driver can do, for people who choose one. Asked of the driver and the client themselves where they can
 * say it, so that it cannot differ from what they do; what nobody says is not known.
 */
import type { AgentClient } from "./agent-client.ts";
import { clients } from "./clients.ts";
import type { Driver } from "./driver.ts";

export type Abilities = {
  readonly desk: Can;
  readonly proposal: Can;
  /** Goes on with a conversation that it had. */
  readonly resume: Can;
  /** By a switch of its own, besides the desk that the system makes read-only. */
  readonly "read-only": Can;
  /** Takes an MCP server for one turn. */
  readonly mcp: Can;
  readonly usage: Can;
  /** Tells it itself; else it is reckoned from a table. */
  readonly cost: Can;
};

export type Can = "yes" | "no" | "unknown";

export function abilitiesOf({
  name,
  ways,
  canResume,
  takesServer = false,
}: Pick<Driver, "name" | "ways" | "canResume" | "takesServer">): Abilities {
  const client = clients.find((one) => one.name === name);
  return {
    desk: said(ways.includes("desk")),
    proposal: said(ways.includes("proposal")),
    resume: said(canResume),
    mcp: said(takesServer),
    ...(client ? ofClient(client) : (others[name] ?? unknown)),
  };
}

type Rest = Pick<Abilities, "read-only" | "usage" | "cost">;

function ofClient({ start, tellsCost = false }: AgentClient): Rest {
  const wish = { model: undefined, isReadOnly: false, scratch: "", environment: {} };
  const isSwitched = JSON.stringify(start(wish)) !== JSON.stringify(start({ ...wish, isReadOnly: true }));
  return { "read-only": said(isSwitched), usage: "yes", cost: said(tellsCost) };
}

const nothing: Rest = { "read-only": "no", usage: "no", cost: "no" };
const unknown: Rest = { "read-only": "unknown", usage: "unknown", cost: "unknown" };
const others: Readonly<Record<string, Rest>> = {
  command: nothing,
  scripted: nothing,
  // It has no hands.
  model: { "read-only": "yes", usage: "yes", cost: "no" },
};

function said(can: boolean): Can {
  return can ? "yes" : "no";
}
