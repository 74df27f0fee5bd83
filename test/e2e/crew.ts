/** A run whose developer plays a script, step by step, for tests that steer it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "./agent-program.ts";
import { RunWorld } from "./run-world.ts";

export interface CrewOptions {
  /** The lines below `## Tasks`. */
  readonly tasks: string;
  /** What each task's developer does, call by call; `default` for tasks not named. */
  readonly script: Readonly<Record<string, readonly (readonly Step[])[]>>;
  readonly config?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

export class Crew extends RunWorld {
  constructor({ tasks, script, config = [], files = {} }: CrewOptions) {
    super({
      plan: `# A plan\n\n## Tasks\n\n${tasks}\n`,
      agents: { dev: { plays: script } },
      config: config.map((line) => `${line}\n`).join(""),
      files,
    });
  }

  /** Releases the agents held under that name. */
  release(name: string): void {
    writeFileSync(join(this.signals, name), "");
  }

  /** Waits until `count` events of that name are recorded. */
  async recorded(event: string, count = 1): Promise<void> {
    while (this.eventsOf(event).length < count) await sleep(30);
  }
}

/** Writes a file and reports that the task is done. */
export function work(path: string, content = "$COX_TASK\n"): Step[] {
  return [{ write: { path, content } }, { say: "READY FOR AUDIT: $COX_TASK" }];
}

/** Holds the agent until the test calls `crew.release(name)`. */
export function held(name: string): Step {
  return { run: ["sh", "-c", `while [ ! -e "$HOME/../state/coxswain/${name}" ]; do sleep 0.05; done`] };
}
