/** A small repository with a crew of one, for tests that look at a run: an agent program of ten lines, and a plan. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cox, type Ended, start } from "./program.ts";

export class SmallRun {
  readonly #place = mkdtempSync(join(tmpdir(), "cox-small-"));
  /** Of the repository. */
  readonly root = join(this.#place, "repo");
  /** Nothing of this machine's user is read or written. */
  readonly env: Readonly<Record<string, string>> = {
    HOME: join(this.#place, "home"),
    XDG_CACHE_HOME: join(this.#place, "cache"),
    XDG_STATE_HOME: join(this.#place, "state"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    TZ: "UTC",
  };

  /** `agent` is the body of its program, in which `task`, `turn`, `write` and `say` are there. */
  constructor({ agent, files }: { agent?: string; files: Readonly<Record<string, string>> }) {
    for (const folder of [this.root, join(this.#place, "home")]) mkdirSync(folder);
    const program = join(this.#place, "agent.mjs");
    writeFileSync(program, agentProgram(agent ?? ""));
    for (const [path, text] of Object.entries(files)) this.write(path, text.replaceAll("AGENT", program));
    this.git("init", "-q", "-b", "main");
    this.git("add", "-A");
    this.git("-c", "user.name=Ana", "-c", "user.email=ana@example.org", "commit", "-qm", "Begin");
  }

  cox(...args: string[]): Promise<Ended> {
    return cox(args, { cwd: this.root, env: this.env });
  }

  start(...args: string[]) {
    return start(args, { cwd: this.root, env: this.env });
  }

  /** What one document says. */
  async json(...args: string[]) {
    return JSON.parse((await this.cox(...args, "--json")).stdout);
  }

  git(...args: string[]): string {
    return execFileSync("git", args, {
      cwd: this.root,
      env: { ...process.env, ...this.env },
      encoding: "utf8",
    });
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.root, dirname(path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  remove(): void {
    rmSync(this.#place, { recursive: true, force: true });
  }
}

function agentProgram(body: string): string {
  return `import { existsSync, readFileSync, writeFileSync } from "node:fs";
readFileSync(0);
const { COX_TASK: task, COX_TURN: turn } = process.env;
const write = (path, text) => writeFileSync(path, text);
const say = (text) => process.stdout.write(text + "\\n");
const until = async (path) => { while (!existsSync(path)) await new Promise((go) => setTimeout(go, 20)); };
${body}
`;
}
