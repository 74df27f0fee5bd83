/** A plan of two tasks with an audit, run by a real program that asks our model server. */
import { type Dirent, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ModelScript, ModelStep } from "../../src/model-server/script.ts";
import { ModelServer } from "../../src/model-server/server.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { nodeLoopbackServers } from "../../src/world/network/node-loopback-server.ts";
import { nodeClock } from "../../src/world/time/clock.ts";
import type { Ended } from "../e2e/program.ts";
import { RunWorld } from "../e2e/run-world.ts";
import type { CrewClient } from "./crew.ts";
import { fetched } from "./fetched.ts";
import { onNode22 } from "./node-22.ts";

/** What the model does; what is not said, it does well. */
export interface Roles {
  readonly greeting?: readonly ModelStep[];
  readonly farewell?: readonly ModelStep[];
  readonly audit?: readonly ModelStep[];
}

export interface PlanRun {
  readonly world: RunWorld;
  readonly model: ModelServer;
  readonly ended: Promise<Ended>;
}

export interface PlanRunOptions {
  readonly roles?: Roles;
  readonly turnAttempts?: number;
  /** More lines of the configuration. */
  readonly settings?: string;
  /** Of the developer. */
  readonly works?: "desk" | "proposal";
  /** What cox is run under. */
  readonly under?: readonly string[];
  skip(reason: string): never;
}

export async function startPlan(
  client: CrewClient,
  { roles = {}, under = [], skip, ...options }: PlanRunOptions,
): Promise<PlanRun> {
  const model = await ModelServer.start(
    { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance },
    { script: scriptFor(client, roles) },
  );
  onTestFinished(() => model.close());
  const { world, env } = await preparePlan(client, { ...options, url: model.url, skip });
  const running = world.with({ env, under }).start("run", "plan.md", "--yes", "--json");
  onTestFinished(() => void running.child.kill("SIGKILL"));
  return { world, model, ended: running.ended };
}

/** Everything but the model, which is at `url`. */
export async function preparePlan(
  client: CrewClient,
  {
    url,
    turnAttempts = 2,
    works = "desk",
    settings = "",
    skip,
  }: Omit<PlanRunOptions, "roles" | "under"> & { readonly url: string },
): Promise<{ readonly world: RunWorld; readonly env: Readonly<Record<string, string>> }> {
  const found = await fetched(client);
  if ("missing" in found) return skip(found.missing);
  const command = client.acp && (await acpCommand(client, skip));
  const config = settings + configFor(client, { turnAttempts, works, ...(command && { command }) });
  const world = new RunWorld({ plan, agents: {}, config });
  for (const [path, text] of Object.entries(client.home(url))) {
    mkdirSync(join(world.home, dirname(path)), { recursive: true });
    writeFileSync(join(world.home, path), text);
  }
  const usual = [dirname(found.path), dirname(process.execPath), "/usr/sbin", "/usr/bin", "/bin"];
  const PATH = [...(await foldersBeside(client, skip)), ...usual].join(delimiter);
  return { world, env: { PATH, ...client.env(url) } };
}

const plan = `---
verify: test -f greeting.txt
---
# Greetings

## Tasks

- [ ] Write the greeting
- [ ] Write the farewell
  - Needs: write-the-greeting
`;

/** How an agent that speaks ACP is started. */
export async function acpCommand(
  client: CrewClient,
  skip: PlanRunOptions["skip"],
): Promise<readonly string[]> {
  const { args = [], needsNode22 } = client.acp ?? {};
  if (needsNode22) return [...(await onNode22(client, skip)), ...args];
  const found = await fetched(client);
  return "missing" in found ? skip(found.missing) : [found.path, ...args];
}

/** Of what it looks for in PATH, before all others. */
export async function foldersBeside(
  { acp }: CrewClient,
  skip: PlanRunOptions["skip"],
): Promise<readonly string[]> {
  const found = await Promise.all((acp?.beside ?? []).map((one) => fetched(one)));
  return found.map((one) => ("missing" in one ? skip(one.missing) : dirname(one.path)));
}

interface Started {
  readonly turnAttempts: number;
  readonly works: "desk" | "proposal";
  readonly command?: readonly string[];
}

function configFor({ driver, agentModel }: CrewClient, { turnAttempts, works, command }: Started): string {
  const model = agentModel === undefined ? "" : `, model: ${agentModel}`;
  const started = command === undefined ? "" : `, command: ${JSON.stringify(command)}`;
  return [
    `turn-attempts: ${turnAttempts}`,
    "agents:",
    `  ada: { role: developer, works: ${works}, driver: ${driver}${model}${started} }`,
    `  tess: { profile: auditor, driver: ${driver}${model}${started} }`,
    "roles:",
    "  auditor: [tess]",
    // For those that do not say what they cost, and whose model nobody knows.
    "prices:",
    "  scripted: { input: 1, output: 5 }",
    "",
  ].join("\n");
}

/** The words are those of a first prompt, and of one that goes on with a conversation: each begins the steps anew. */
export function scriptFor(client: CrewClient, roles: Roles): ModelScript {
  const passed = (task: string) => [{ text: `AUDIT PASSED - ${task}` }];
  const does = (prompt: string, steps: readonly ModelStep[]) => ({ when: { prompt }, steps: [...steps] });
  return {
    conversations: {
      // Titles and the like, which some ask of a smaller model.
      aside: { when: { model: "small" }, steps: [{ text: "Greetings" }] },
      title: { when: { system: "naming a coding session" }, steps: [{ text: "Greetings" }] },
      greetingAudit: does("this task: Write the greeting", roles.audit ?? passed("write-the-greeting")),
      farewellAudit: does("this task: Write the farewell", passed("write-the-farewell")),
      greeting: does(
        "our task: Write the greeting",
        roles.greeting ?? [
          { ...client.write("greeting.txt", "Hello.\n"), text: "I begin.\nCheckpoint: begun" },
          { text: "Done.\nREADY FOR AUDIT: write-the-greeting" },
        ],
      ),
      farewell: does(
        "our task: Write the farewell",
        roles.farewell ?? [
          client.shell("cat greeting.txt > farewell.txt && echo Goodbye. >> farewell.txt"),
          { text: "READY FOR AUDIT: write-the-farewell" },
        ],
      ),
    },
  };
}

/** Paths of all files of that name, wherever they are below a folder; others may work there meanwhile. */
export function filesNamed(name: string, folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesNamed(name, path);
    return entry.name === name ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Gone meanwhile.
  }
}
