/**
 * Kills the real program with SIGKILL, or interrupts it with SIGINT, right before a chosen system call. It uses a small
 * library of ours that the program is made to load or, if there is no compiler, strace, which stops the program at
 * every call and costs a third more.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { cox, type Ended, type Run } from "./program.ts";

export interface Killer {
  /** Lets the program run to its end. Also returns the calls of its main thread that change or sync anything. */
  watch(args: readonly string[], run: Run): Promise<Ended & { readonly calls: readonly Call[] }>;
  /** Kills it right before that call. If the call never comes, nothing is killed. */
  kill(args: readonly string[], run: Run, call: Call): Promise<Ended>;
  /** Sends the signal that Ctrl-C sends. */
  interrupt(args: readonly string[], run: Run, call: Call): Promise<Ended>;
}

/** The Nth call of that name, counted per thread. */
export interface Call {
  readonly name: string;
  readonly number: number;
  /** Node syncs files in threads of its own: "any" means the first thread that gets so far. */
  readonly thread: "main" | "any";
}

/** Returns the reason if there is none. */
export function findKiller(): Killer | string {
  if (process.platform !== "linux") return "needs Linux: a library loaded with LD_PRELOAD, or strace";
  const folder = mkdtempSync(join(tmpdir(), "cox-shim-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, "kill-shim.so");
  const source = fileURLToPath(new URL("kill-shim.c", import.meta.url));
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]);
  if (compiled.status === 0) return shim(library);
  if (spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0) return strace;
  return "needs a C compiler, or strace with permission to trace";
}

/** Some have other names on some processors. With "?", strace ignores a name it does not know. */
const traced = [
  ...["write", "pwrite64", "writev", "openat", "close", "fsync", "fdatasync", "fchmod", "ftruncate"],
  ...["mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir"],
]
  .map((name) => `?${name}`)
  .join(",");

const strace: Killer = {
  async watch(args, run) {
    return recording(async (file) => {
      const under = ["strace", "-qq", "-o", file, "-e", `trace=${traced}`, "-e", "signal=none"];
      return cox(args, { ...run, under });
    });
  },
  kill: (args, run, call) => injected("SIGKILL", args, run, call),
  interrupt: (args, run, call) => injected("SIGINT", args, run, call),
};

/** Without -f strace sees only the main thread. The signal goes to all of them. */
function injected(
  signal: "SIGKILL" | "SIGINT",
  args: readonly string[],
  run: Run,
  { name, number, thread }: Call,
): Promise<Ended> {
  const inject = `inject=${name}:signal=${signal}:when=${number}`;
  const quietly = ["-qq", "-o", "/dev/null", "-e", `trace=${name}`, "-e", inject];
  return cox(args, { ...run, under: ["strace", ...(thread === "any" ? ["-f"] : []), ...quietly] });
}

function shim(library: string): Killer {
  const loaded = (run: Run, env: Record<string, string>): Run => ({
    ...run,
    env: { ...run.env, LD_PRELOAD: library, ...env },
  });
  return {
    watch: (args, run) => recording((file) => cox(args, loaded(run, { COX_SHIM_RECORD: file }))),
    kill: (args, run, { name, number, thread }) =>
      cox(args, loaded(run, { COX_SHIM_CALL: `${name}:${number}:${thread}:KILL` })),
    interrupt: (args, run, { name, number, thread }) =>
      cox(args, loaded(run, { COX_SHIM_CALL: `${name}:${number}:${thread}:INT` })),
  };
}

/** `run` writes a file with one call a line, each beginning with its name. */
async function recording(run: (file: string) => Promise<Ended>): Promise<Ended & { calls: Call[] }> {
  const folder = mkdtempSync(join(tmpdir(), "cox-calls-"));
  try {
    const ended = await run(join(folder, "calls"));
    return { ...ended, calls: numbered(readFileSync(join(folder, "calls"), "utf8")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function numbered(lines: string): Call[] {
  const counts = new Map<string, number>();
  return [...lines.matchAll(/^[a-z]\w+/gm)].map(([name]) => {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return { name, number, thread: "main" };
  });
}
