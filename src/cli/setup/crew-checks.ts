/**
 * What `cox doctor` reports about agents: which programs are installed, what each can do, and which agents of the crew
 * lack something.
 */
import { canText } from "../../view/agents/agents-text.ts";
import type { DoctorFinding } from "../../view/text/finding.ts";
import { signInWords } from "./agent-programs.ts";
import type { Known, KnownAgent } from "./known-agents.ts";

/** Any program can be an agent, so it is not a fault if no program that we know is installed. */
export function crewChecks({ agents, programs }: Known): DoctorFinding[] {
  const installed = programs.filter(({ version }) => version !== undefined);
  const none = "no agent program that cox knows by name is installed";
  const found = installed.map((one) => {
    const { title, version, driver, can } = one;
    return `${title} ${version} (driver: ${driver}, ${signInWords(one)}), ${canText(can)}`;
  });
  const lacking = agents.filter(({ lacks }) => lacks !== undefined);
  return [
    ...(found.length === 0 ? [none] : found).map(
      (message): DoctorFinding => ({ check: "agents", state: "healthy", message }),
    ),
    ...lacking.map((one) => cannotWork(one, programs)),
  ];
}

function cannotWork({ agent, lacks, program }: KnownAgent, programs: Known["programs"]): DoctorFinding {
  const known = programs.find((one) => one.program === program);
  return {
    check: "agents",
    state: "advice",
    message: `agent ${agent.name} (driver: ${agent.driver}) cannot work: ${lacks}`,
    fix: known
      ? `Install it: ${known.install}`
      : "Fix that, or change its entry in .coxswain/config.yaml. List agents: cox agents",
  };
}
