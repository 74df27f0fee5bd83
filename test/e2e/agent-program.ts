/** Puts what an agent of a test does into a file, and says how the configuration names it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** In shell; or in JavaScript; or as what it plays, call by call, by task, `default` for those that are not named. */
export type AgentWish =
  | string
  | {
      /** The body of its program, in which `task`, `turn`, `write`, `say` and `until` are there. */
      readonly node: string;
      /** Variables that it is given. */
      readonly env?: readonly string[];
    }
  | { readonly plays: Readonly<Record<string, readonly (readonly Step[])[]>> };

export type Step = Readonly<Record<string, unknown>>;

/** The path of the program or script. */
export function agentPath(folder: string, name: string, wish: AgentWish): string {
  const end = typeof wish === "string" ? "sh" : "node" in wish ? "mjs" : "json";
  return join(folder, "agents", `${name}.${end}`);
}

/** What stands behind `NAME:` in the configuration. */
export function writeAgent(path: string, wish: AgentWish, role: string): string {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof wish === "string") {
    writeFileSync(path, wish);
    return `{ role: ${role}, driver: command, command: [sh, ${path}] }`;
  }
  if ("plays" in wish) {
    writeFileSync(path, script(wish.plays, role));
    return `{ role: ${role}, driver: scripted, script: ${path} }`;
  }
  writeFileSync(path, nodeProgram(wish.node));
  const env = wish.env ? `, env: [${wish.env.join(", ")}]` : "";
  return `{ role: ${role}, driver: command, command: [node, ${path}]${env} }`;
}

function script(plays: Extract<AgentWish, { plays: unknown }>["plays"], role: string): string {
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
