/** A plan of two tasks with an audit, run by a real program that asks our model server. */
import { type Dirent, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Script, Step } from "../../src/model-server/script.ts";
import { ModelServer } from "../../src/model-server/server.ts";
import { nodeChance } from "../../src/world/node-chance.ts";
import { nodeClock } from "../../src/world/node-clock.ts";
import { nodeLoopbackServers } from "../../src/world/node-loopback-server.ts";
import type { Ended } from "../e2e/program.ts";
import { RunWorld } from "../e2e/run-world.ts";
import type { CrewClient } from "./crew.ts";
import { fetched } from "./fetched.ts";

/** What the model does; what is not said, it does well. */
export interface Roles {
  readonly greeting?: readonly Step[];
  readonly farewell?: readonly Step[];
  readonly audit?: readonly Step[];
}

export interface PlanRun {
  readonly world: RunWorld;
  readonly model: ModelServer;
  readonly ended: Promise<Ended>;
}

export interface PlanWishes {
  readonly roles?: Roles;
  /** Of the developer. */
  readonly works?: "desk" | "proposal";
  skip(reason: string): never;
}

export async function startPlan(
  client: CrewClient,
  { roles = {}, works, skip }: PlanWishes,
): Promise<PlanRun> {
  const found = await fetched(client);
  if ("missing" in found) return skip(found.missing);
  const model = await ModelServer.start(
    { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance },
    { script: scriptFor(client, roles) },
  );
  onTestFinished(() => model.close());
  const world = new RunWorld({ plan, agents: {}, config: configFor(client, works) });
  for (const [path, text] of Object.entries(client.home(model.url))) {
    mkdirSync(join(world.home, dirname(path)), { recursive: true });
    writeFileSync(join(world.home, path), text);
  }
  const PATH = [dirname(found.path), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  const running = world
    .with({ env: { PATH, ...client.env(model.url) } })
    .start("run", "plan.md", "--yes", "--json");
  onTestFinished(() => void running.child.kill("SIGKILL"));
  return { world, model, ended: running.ended };
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

function configFor({ driver, agentModel }: CrewClient, works: PlanWishes["works"] = "desk"): string {
  const model = agentModel === undefined ? "" : `, model: ${agentModel}`;
  return [
    "turn-attempts: 2",
    "agents:",
    `  ada: { role: developer, works: ${works}, driver: ${driver}${model} }`,
    `  tess: { profile: auditor, driver: ${driver}${model} }`,
    "roles:",
    "  auditor: [tess]",
    "",
  ].join("\n");
}

function scriptFor(client: CrewClient, roles: Roles): Script {
  const passed = (task: string) => [{ text: `AUDIT PASSED - ${task}` }];
  const does = (prompt: string, steps: readonly Step[]) => ({ when: { prompt }, steps: [...steps] });
  return {
    conversations: {
      // Titles and the like, which some ask of a smaller model.
      aside: { when: { model: "small" }, steps: [{ text: "Greetings" }] },
      greetingAudit: does(
        "# Judge this task: Write the greeting",
        roles.audit ?? passed("write-the-greeting"),
      ),
      farewellAudit: does("# Judge this task: Write the farewell", passed("write-the-farewell")),
      greeting: does(
        "# Your task: Write the greeting",
        roles.greeting ?? [
          { ...client.write("greeting.txt", "Hello.\n"), text: "I begin.\nCheckpoint: begun" },
          { text: "Done.\nREADY FOR AUDIT: write-the-greeting" },
        ],
      ),
      farewell: does(
        "# Your task: Write the farewell",
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
