/** What an agent is behind its name: two of one kind think alike, and one should not judge the other's work. */
import { oneLine } from "../std/printable.ts";
import type { CrewAgent } from "./crew.ts";

/** Of a program that nobody knows the model of, the program itself. */
export function agentKind({ driver, model, command, script }: CrewAgent): string {
  const what = model ?? command?.join(" ") ?? script;
  return oneLine(what === undefined ? driver : `${driver} ${what}`, 200);
}
