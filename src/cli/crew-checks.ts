/** What `cox doctor` says of agents: which programs are here and what each can do, and whom of the crew something is missing for. */
import { canText } from "../view/agents-text.ts";
import type { Finding } from "../view/finding.ts";
import { signInWords } from "./agent-programs.ts";
import type { Known, KnownAgent } from "./known-agents.ts";

/** Any program can be an agent, so that none of those that we know is installed is no fault. */
export function crewChecks({ agents, programs }: Known): Finding[] {
  const installed = programs.filter(({ version }) => version !== undefined);
  const none = "no agent program that cox knows by name is installed";
  const found = installed.map((one) => {
    const { title, version, driver, can } = one;
    return `${title} ${version} (driver: ${driver}, ${signInWords(one)}), ${canText(can)}`;
  });
  const lacking = agents.filter(({ lacks }) => lacks !== undefined);
  return [
    ...(found.length === 0 ? [none] : found).map(
      (message): Finding => ({ check: "agents", state: "healthy", message }),
    ),
    ...lacking.map((one) => cannotWork(one, programs)),
  ];
}

function cannotWork({ agent, lacks, program }: KnownAgent, programs: Known["programs"]): Finding {
  const known = programs.find((one) => one.program === program);
  return {
    check: "agents",
    state: "advice",
    message: `agent ${agent.name} (driver: ${agent.driver}) cannot work: ${lacks}`,
    fix: known
      ? `Install it: ${known.install}`
      : "Put that right, or name another in its entry of .coxswain/config.yaml. All of them: cox agents",
  };
}
