/** Who is calling: the client's name and its door, as recorded in the history, and what the client can do. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Author } from "../document/store.ts";
import { oneLine } from "../std/printable.ts";
import { isJsonObject } from "./stdio/read-message.ts";

export function authorOf(server: Server, context: ServerContext, door: Author["door"]): Author {
  const info = said(context, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  const { name, version } = isJsonObject(info) ? info : {};
  const words = [name, version].filter((word): word is string => typeof word === "string" && word !== "");
  return { name: oneLine(words.join(" "), 100) || "a client without a name", door };
}

/**
 * Whether the client can show a form to a person. `elicitation: {}` is how clients declared it when forms were all
 * there was.
 */
export function canShowForms(server: Server, context: ServerContext): boolean {
  const declared = said(context, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  const elicitation = isJsonObject(declared) ? declared.elicitation : undefined;
  if (!isJsonObject(elicitation)) return false;
  return isJsonObject(elicitation.form) || Object.keys(elicitation).length === 0;
}

/** Since 2026-07-28 every request says who sends it; before that, the handshake did. */
function said({ mcpReq }: ServerContext, key: string): unknown {
  return (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[key];
}
