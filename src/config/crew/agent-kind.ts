/** What an agent is, whatever its name: two agents of one kind think alike, so one should not judge the other's work. */
import { oneLine } from "../../std/printable.ts";
import type { CrewAgent } from "./crew.ts";

/** If the model is not known, the program itself. */
export function agentKind({ driver, model, command, script }: CrewAgent): string {
  const what = model ?? command?.join(" ") ?? script;
  return oneLine(what === undefined ? driver : `${driver} ${what}`, 200);
}
