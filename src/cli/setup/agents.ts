/**
 * `cox agents`: lists the configured agents and the installed programs, and what each can do. `cox agents test NAME`
 * runs one harmless turn of one of them.
 */
import { agentsDocument, agentsText } from "../../view/agents/agents-text.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { type AgentsPorts, type Known, knownAgents } from "./known-agents.ts";
import { type TestAgentPorts, testAgent } from "./test-agent.ts";

export async function agents(door: CommandContext, ports: AgentsPorts & TestAgentPorts): Promise<ExitCode> {
  const { words, values, files, terminal } = door;
  const [verb, name] = words;
  const root = values.one("root") ?? ".";
  if (verb === undefined) {
    const agents = shownAgents(knownAgents(files, root, ports));
    terminal.print(terminal.json ? jsonText(agentsDocument(agents)) : agentsText(agents, terminal));
    return exit.done;
  }
  if (verb === "test" && name !== undefined) return testAgent(door, { name, root }, ports);
  return tellProblems(door, "agents", [usage], exit.usage);
}

const usage = {
  code: "USAGE",
  message: "cox agents either lists agents or tests one",
  hint: "Type: cox agents, or cox agents test NAME",
};

function shownAgents({ agents: known, programs }: Known) {
  return {
    agents: known.map(({ agent, ...rest }) => ({
      ...rest,
      agent: agent.name,
      role: agent.role,
      driver: agent.driver,
      model: agent.model,
      timeoutMs: agent.timeoutMs,
    })),
    programs,
  };
}
