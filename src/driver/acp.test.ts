import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeProcesses } from "../world/node-processes.ts";
import { acp } from "./acp.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { driverContract } from "./driver.contract.ts";

const program = fileURLToPath(new URL("../../test/acp/agent.mjs", import.meta.url));

driverContract(
  "acp",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "cox-acp-"));
    let agents = 0;
    return {
      driver: acp({
        processes: nodeProcesses,
        graceMs: 300,
        handshakeMs: 30_000,
        after: (ms, call) => {
          const timer = setTimeout(call, ms);
          return () => clearTimeout(timer);
        },
        environmentOf: (turn, variables) => agentEnvironment(turn, { PATH: "/usr/bin:/bin" }, variables),
      }),
      folder,
      agent(deeds) {
        agents += 1;
        const file = join(folder, `deeds-${agents}.json`);
        writeFileSync(file, JSON.stringify({ deeds }));
        return { driver: "acp", command: [process.execPath, program, file] };
      },
      end: () => rmSync(folder, { recursive: true }),
    };
  },
  { speaksInEvents: true },
);
