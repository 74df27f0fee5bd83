/**
 * The answer to an agent that asks whether it may: a developer may, since its desk is its own; who judges or proposes may
 * not, but for the tools of the turn's own server. Once, never for ever: some write down what they are allowed for ever.
 */
import type { ClientEvent } from "./agent-client.ts";
import type { TurnServer } from "./driver.ts";
import { listField, recordField, textField } from "./event-fields.ts";

export interface PermissionCase {
  readonly request: ClientEvent;
  /** What is known of the call it is for. */
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
  // To an agent that offers no answer of ours nothing is left to say but that nobody chose.
  return optionId === undefined
    ? { isAllowed: false, outcome: { outcome: "cancelled" } }
    : { isAllowed, outcome: { outcome: "selected", optionId } };
}

/** Each writes the name of a server's tool in its own way. */
function isOf(server: string, { name, title, toolCallId, rawInput, _meta }: ClientEvent): boolean {
  const tool = textField(name) ?? textField(recordField(recordField(_meta).claudeCode).toolName) ?? "";
  return (
    tool.startsWith(`mcp__${server}__`) ||
    recordField(rawInput).server === server ||
    (textField(title) ?? "").startsWith(`mcp.${server}.`) ||
    (textField(toolCallId) ?? "").startsWith(`mcp_${server}_`)
  );
}
