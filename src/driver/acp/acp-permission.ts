/**
 * Answers an agent's request for permission. A developer is allowed, since its desk is its own. An agent that judges or
 * proposes is refused, except for the tools of the turn's own server. Prefers `once` to `always`, since some agents
 * store what they are always allowed.
 */

import type { TurnServer } from "../driver.ts";
import type { ClientEvent } from "../programs/agent-client.ts";
import { listField, recordField, textField } from "../programs/event-fields.ts";

export interface PermissionCase {
  readonly request: ClientEvent;
  /** What is known about the tool call. */
  readonly call: ClientEvent;
  readonly isReadOnly: boolean;
  readonly server: TurnServer | undefined;
}

export interface PermissionAnswer {
  readonly isAllowed: boolean;
  readonly outcome:
    | { readonly outcome: "selected"; readonly optionId: string }
    | { readonly outcome: "cancelled" };
}

export function acpPermission({ request, call, isReadOnly, server }: PermissionCase): PermissionAnswer {
  const isAllowed = !isReadOnly || (server !== undefined && isOf(server.name, call));
  const kinds = isAllowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const options = listField(request.options).map(recordField);
  const chosen = kinds.flatMap((kind) => options.filter((option) => option.kind === kind));
  const optionId = textField(chosen[0]?.optionId);
  // If the agent offers no fitting option, we can only answer that nobody chose.
  return optionId === undefined
    ? { isAllowed: false, outcome: { outcome: "cancelled" } }
    : { isAllowed, outcome: { outcome: "selected", optionId } };
}

/** Each agent writes the name of a server's tool differently. */
function isOf(server: string, { name, title, toolCallId, rawInput, _meta }: ClientEvent): boolean {
  const tool = textField(name) ?? textField(recordField(recordField(_meta).claudeCode).toolName) ?? "";
  return (
    tool.startsWith(`mcp__${server}__`) ||
    recordField(rawInput).server === server ||
    (textField(title) ?? "").startsWith(`mcp.${server}.`) ||
    (textField(toolCallId) ?? "").startsWith(`mcp_${server}_`)
  );
}
