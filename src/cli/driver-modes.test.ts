import { expect, test } from "vitest";
import { workModesOf } from "../config/crew/work-modes-of.ts";
import { makeDrivers } from "../driver/drivers.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { nodePlainFiles } from "../world/files/node-plain-files.ts";
import { nodeProcesses } from "../world/processes/node-processes.ts";
import { nodeRunClock } from "../world/time/node-run-clock.ts";

test("what a configuration may ask of each driver is what the driver can do", () => {
  const clock = nodeRunClock();
  const files = { files: nodePlainFiles, deskFiles: openFiles() };
  const drivers = makeDrivers({ processes: nodeProcesses, ...files, fetch, clock, environment: {} });
  for (const name of drivers.names)
    expect([...(drivers.find(name)?.modes ?? [])].sort(), name).toEqual([...workModesOf(name)].sort());
});
