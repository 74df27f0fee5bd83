/** Writes the program of a test's agent into a file, and the lines that name it in the configuration. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the agent does: in shell, in JavaScript, or as a script of calls by task, with `default` for tasks not named. */
export type AgentProgramSpec =
  | string
  | {
      /** The body of its program, which can use `task`, `turn`, `write`, `say` and `until`. */
      readonly node: string;
      /** Environment variables that it receives. */
      readonly env?: readonly string[];
    }
  | { readonly plays: Readonly<Record<string, readonly (readonly Step[])[]>> };

export type Step = Readonly<Record<string, unknown>>;

/** The path of the program or script. */
export function agentPath(folder: string, name: string, spec: AgentProgramSpec): string {
  const end = typeof spec === "string" ? "sh" : "node" in spec ? "mjs" : "json";
  return join(folder, "agents", `${name}.${end}`);
}

/** What follows `NAME:` in the configuration. */
export function writeAgent(path: string, spec: AgentProgramSpec, role: string): string {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof spec === "string") {
    writeFileSync(path, spec);
    return `{ role: ${role}, driver: command, command: [sh, ${path}] }`;
  }
  if ("plays" in spec) {
    writeFileSync(path, script(spec.plays, role));
    return `{ role: ${role}, driver: scripted, script: ${path} }`;
  }
  writeFileSync(path, nodeProgram(spec.node));
  const env = spec.env ? `, env: [${spec.env.join(", ")}]` : "";
  return `{ role: ${role}, driver: command, command: [node, ${path}]${env} }`;
}

function script(plays: Extract<AgentProgramSpec, { plays: unknown }>["plays"], role: string): string {
  const { default: others, ...named } = Object.fromEntries(
    Object.entries(plays).map(([task, calls]) => [task, { [role]: calls }]),
  );
  return JSON.stringify({ tasks: named, ...(others ? { default: others } : {}) });
}

function nodeProgram(body: string): string {
  return `import { existsSync, readFileSync, writeFileSync } from "node:fs";
readFileSync(0);
const { COX_TASK: task, COX_TURN: turn } = process.env;
const write = (path, text) => writeFileSync(path, text);
const say = (text) => process.stdout.write(text + "\\n");
const until = async (path) => { while (!existsSync(path)) await new Promise((go) => setTimeout(go, 20)); };
${body}
`;
}
