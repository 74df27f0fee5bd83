/**
 * What an agent of a driver can do, for people who choose one. Asked of the driver and the client themselves where they can
 * say it, so that it cannot differ from what they do; what nobody says is not known.
 */
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
}: Pick<Driver, "name" | "ways" | "canResume">): Abilities {
  const client = clients.find((one) => one.name === name);
  const wish = { model: undefined, isReadOnly: false };
  const server = { name: "cox", command: ["true"] as const, environment: {} };
  const differs = (one: object, other: object) => said(JSON.stringify(one) !== JSON.stringify(other));
  return {
    desk: said(ways.includes("desk")),
    proposal: said(ways.includes("proposal")),
    resume: said(canResume),
    "read-only": client
      ? differs(client.start(wish), client.start({ ...wish, isReadOnly: true }))
      : plain(name),
    mcp: client ? differs(client.start(wish), client.start({ ...wish, server })) : plain(name),
    usage: client ? "yes" : plain(name),
    cost: client ? said(client.tellsCost === true) : plain(name),
  };
}

function said(can: boolean): Can {
  return can ? "yes" : "no";
}

/** Any program, and what is only played, has none of these; of other drivers nothing is known here. */
function plain(driver: string): Can {
  return driver === "command" || driver === "scripted" ? "no" : "unknown";
}
