/** A run whose developer plays a script, step by step, for tests that steer it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "./agent-program.ts";
import { RunWorld } from "./run-world.ts";

export interface CrewWish {
  /** The lines below `## Tasks`. */
  readonly tasks: string;
  /** By task, what its developer does, call by call; `default` for those that are not named. */
  readonly script: Readonly<Record<string, readonly (readonly Step[])[]>>;
  readonly config?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

export class Crew extends RunWorld {
  constructor({ tasks, script, config = [], files = {} }: CrewWish) {
    super({
      plan: `# A plan\n\n## Tasks\n\n${tasks}\n`,
      agents: { dev: { plays: script } },
      config: config.map((line) => `${line}\n`).join(""),
      files,
    });
  }

  /** Lets those go on that are held by that name. */
  release(name: string): void {
    writeFileSync(join(this.home, name), "");
  }

  /** Waits until so many events of that name are recorded. */
  async recorded(event: string, count = 1): Promise<void> {
    while (this.eventsOf(event).length < count) await sleep(30);
  }
}

/** Writes a file and says that it is done. */
export function work(path: string, content = "$COX_TASK\n"): Step[] {
  return [{ write: { path, content } }, { say: "READY FOR AUDIT: $COX_TASK" }];
}

/** Holds the agent until the test calls `crew.release(name)`. */
export function held(name: string): Step {
  return { run: ["sh", "-c", `while [ ! -e "$HOME/${name}" ]; do sleep 0.05; done`] };
}
