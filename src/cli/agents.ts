/**
 * `cox agents`: who is configured and what is installed, and what each can do. `cox agents test NAME`: one harmless turn of
 * one of them.
 */
import { agentsDocument, agentsText } from "../view/agents-text.ts";
import { jsonText } from "../view/json-text.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { type AgentsMeans, type Known, knownAgents } from "./known-agents.ts";
import { tellProblems } from "./tell-problems.ts";
import { type TestMeans, testAgent } from "./test-agent.ts";

export async function agents(door: Door, means: AgentsMeans & TestMeans): Promise<ExitCode> {
  const { words, values, files, terminal } = door;
  const [verb, name] = words;
  const root = values.one("root") ?? ".";
  if (verb === undefined) {
    const told = toldOf(knownAgents(files, root, means));
    terminal.print(terminal.json ? jsonText(agentsDocument(told)) : agentsText(told, terminal.paint));
    return exit.done;
  }
  if (verb === "test" && name !== undefined) return testAgent(door, { name, root }, means);
  return tellProblems(door, "agents", [usage], exit.usage);
}

const usage = {
  code: "USAGE",
  message: "cox agents lists them; the only other thing it does is a test",
  hint: "Type: cox agents, or cox agents test NAME",
};

function toldOf({ agents: known, programs }: Known) {
  return {
    agents: known.map(({ agent, ...rest }) => ({
      ...rest,
      agent: agent.name,
      role: agent.role,
      driver: agent.driver,
      model: agent.model,
    })),
    programs,
  };
}
