/** Each real program in a network that has nothing but itself: nothing else than its model is needed. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { program } from "../e2e/program.ts";
import { acpCrews } from "./crew-acp.ts";
import { crews } from "./crews.ts";
import { preparePlan, scriptFor } from "./plan-run.ts";

/** Nobody else listens there. */
const port = 4010;
const url = `http://127.0.0.1:${port}`;

/** Serves the model and then does what stands behind, all inside. */
const inside = `ip link set lo up || exit 91
"$0" "${program}" model-server --script "$SCRIPT" --port ${port} > "$ADDRESS" &
server=$!
until test -s "$ADDRESS"; do sleep 0.1; done
"$@"
code=$?
kill $server; wait
exit $code`;
const under = ["unshare", "--map-root-user", "--net", "sh", "-c", inside, process.execPath];

function refusal(): string | undefined {
  const tried = spawnSync("unshare", ["--map-root-user", "--net", "ip", "link", "set", "lo", "up"], {
    encoding: "utf8",
  });
  if (tried.status === 0) return undefined;
  return `this machine makes no network of its own: ${tried.error?.message ?? tried.stderr.trim()}`;
}

for (const client of [...crews, ...acpCrews]) {
  describe(`${client.title} ${client.version}`, () => {
    test("does a plan of two tasks in a network that has only loopback", async ({ skip }) => {
      const refused = refusal();
      if (refused !== undefined) return skip(refused);
      const { world, env } = await preparePlan(client, { url, skip });
      const [SCRIPT, ADDRESS] = ["script.json", "address"].map((name) => join(world.folder, name));
      writeFileSync(SCRIPT ?? "", JSON.stringify(scriptFor(client, {})));
      const { exitCode, stdout, stderr } = await world
        .with({ under, env: { ...env, SCRIPT: SCRIPT ?? "", ADDRESS: ADDRESS ?? "" } })
        .cox("run", "plan.md", "--yes", "--json");
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      expect(world.show("farewell.txt")).toBe("Hello.\nGoodbye.");
      expect(world.eventsOf("agent_crashed")).toEqual([]);
      expect(world.processes()).toEqual([]);
    });
  });
}
