/**
 * The account that an agent's turns are charged to: its driver and the credentials it uses. Agents of one account meet
 * its limits together, whatever their names and models. `account:` names it where this cannot be derived.
 */
import { oneLine } from "../../std/printable.ts";
import type { CrewAgent } from "./crew.ts";

type Charged = Pick<
  CrewAgent,
  "name" | "driver" | "account" | "command" | "acp" | "url" | "key" | "passEnvironment"
>;

export function agentAccount(agent: Charged): string {
  return oneLine(agent.account ?? derived(agent), 200);
}

function derived({ name, driver, command = [], acp, url, key, passEnvironment = [] }: Charged): string {
  switch (driver) {
    // A scripted agent uses nobody's allowance.
    case "scripted":
      return `scripted ${name}`;
    case "command":
      return `command ${command.join(" ")}`;
    case "model":
      return words(driver, url, key);
    case "acp":
      return words(driver, acp ?? command.join(" "), ...credentials(passEnvironment));
    default:
      return words(driver, ...credentials(passEnvironment));
  }
}

/** The extra variables that may point it to another key or another home. */
function credentials(names: readonly string[]): string[] {
  return names
    .filter((name) => /key|token|secret|credential|auth(?!or)|home|config_dir|profile/i.test(name))
    .toSorted();
}

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}
