/**
 * Changes the mode of the controlling terminal with the `stty` program, since Node only offers a raw mode in which
 * Ctrl-C is no longer a signal.
 *
 * The mode must be restored even if we are killed. So a guardian, a small shell, waits for this process to end and then
 * restores the mode, if it is still the one we set. The guardian and `stty` have sessions of their own: no Ctrl-C,
 * Ctrl-Z or hang-up reaches them, and the system lets them change the mode at any time.
 */
import type { ChildProcess } from "node:child_process";
import { unchangedProgram } from "../processes/program/pinned-programs.ts";
import { spawn, spawnSync } from "../processes/spawn.ts";

export class TerminalMode {
  readonly #device: number;
  #saved: string | undefined;
  #guardian: ChildProcess | undefined;

  /** `device` is a descriptor of the controlling terminal. */
  constructor(device: number) {
    // On systems other than Linux, `/dev/tty` means the terminal of the process that uses it, and a process in its own
    // session has none. There we use whichever stream is a terminal.
    this.#device = process.platform === "linux" ? device : process.stderr.isTTY ? 2 : 1;
  }

  /**
   * Keys can be read one by one and are not shown; Ctrl-C and the like are still signals. Returns false when stty
   * fails.
   */
  quiet(): boolean {
    if (this.#saved === undefined) {
      const saved = this.#stty("-g");
      if (saved === undefined) return false;
      this.#saved = saved;
      this.#guardian = this.#startGuardian(saved);
    }
    if (this.#stty("-icanon", "-echo", "min", "1", "time", "0") === undefined) return false;
    const now = this.#stty("-g");
    if (this.#guardian?.stdin?.writable) this.#guardian.stdin.write(`${now ?? ""}\n`);
    return now !== undefined;
  }

  /** A line is shown as it is typed, can be edited, and is read once it is complete. */
  line(): void {
    this.#stty("icanon", "echo");
  }

  /** Restores the mode we found. */
  restore(): void {
    if (this.#saved !== undefined) this.#stty(this.#saved);
    this.forget();
  }

  /** Somebody else has the terminal now. The guardian restores the mode only if it is still the one we set. */
  forget(): void {
    this.#saved = undefined;
    this.#guardian?.stdin?.destroy();
    this.#guardian = undefined;
  }

  #stty(...args: readonly string[]): string | undefined {
    const path = unchangedProgram("stty");
    if (path === undefined) return undefined;
    const stty = spawnSync(path, args, {
      stdio: [this.#device, "pipe", "ignore"],
      encoding: "latin1",
      // Works for spawnSync too, though its documentation does not list it.
      ...{ detached: true },
    });
    return stty.status === 0 ? stty.stdout.trim() : undefined;
  }

  #startGuardian(saved: string): ChildProcess | undefined {
    const [sh, stty] = [unchangedProgram("sh"), unchangedProgram("stty")];
    if (sh === undefined || stty === undefined) return undefined;
    const guardian = spawn(sh, ["-c", watch, "sh", saved, stty], {
      stdio: ["pipe", "ignore", "ignore", this.#device],
      detached: true,
      cwd: "/",
    });
    guardian.on("error", () => {});
    guardian.stdin?.on("error", () => {});
    guardian.unref();
    (guardian.stdin as unknown as { unref(): void } | null)?.unref();
    return guardian;
  }
}

/** Each line is a mode that was set. The end of the input means that the process that set it has ended. */
const watch = `
quiet=
while read -r line; do quiet=$line; done
if [ -z "$quiet" ] || [ "$("$2" -g <&3)" = "$quiet" ]; then "$2" "$1" <&3; fi
`;
