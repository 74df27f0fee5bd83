/**
 * Verifies by running the commands, one after the other, on the checkout it is given.
 *
 * The commands run code that an agent wrote. They get a clean environment and, where a sandbox is available, no write
 * access to the paths that the request and the store of setups protect. Nothing they start outlives them.
 */

import { sha256 } from "../world/files/hash.ts";
import type { SetupStore } from "../world/folders/setup-store.ts";
import { cleanEnvironment, type Environment } from "../world/processes/clean-environment.ts";
import type { Confinement, Processes } from "../world/processes/processes.ts";
import { CommandRun } from "./command-run.ts";
import type { CommandEvidence, Evidence, Verifier, VerifyObserver, VerifyRequest } from "./verifier.ts";

export interface VerifierParts {
  readonly processes: Processes;
  readonly setups: SetupStore;
  /** Our own environment, of which the commands get what is harmless … */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** … and what a person allowed by name. */
  readonly pass?: readonly string[];
}

export function processVerifier(parts: VerifierParts): Verifier {
  const { environment, pass = [] } = parts;
  // Tells tools that nobody is watching, so that they do not prompt, watch files or use colours.
  const clean = { ...cleanEnvironment(environment, { pass }), CI: "1" };
  return {
    verify(request, observer = {}) {
      const verification = new Verification({ ...parts, clean }, request, observer);
      return { evidence: verification.run(), cancel: () => verification.cancel() };
    },
  };
}

interface CleanParts extends VerifierParts {
  readonly clean: Environment;
}

type Failure = NonNullable<Evidence["failure"]>;

class Verification {
  private readonly environmentDigest: string;
  private readonly evidenceOf: CommandEvidence[] = [];
  private current?: CommandRun;
  private isCancelled = false;

  constructor(
    private readonly parts: CleanParts,
    private readonly request: VerifyRequest,
    private readonly observer: VerifyObserver,
  ) {
    this.environmentDigest = sha256(JSON.stringify(Object.entries(parts.clean).sort()));
  }

  cancel(): void {
    this.isCancelled = true;
    this.current?.cancel();
  }

  async run(): Promise<Evidence> {
    const { tree, setupDigest } = this.request;
    const startedMs = performance.now();
    const failure = (await this.setUp()) ?? (await this.runCommands());
    return {
      tree,
      passed: failure === undefined,
      ...(failure && { failure }),
      setupDigest,
      environmentDigest: this.environmentDigest,
      commands: this.evidenceOf,
      durationMs: performance.now() - startedMs,
    };
  }

  private async setUp(): Promise<Failure | undefined> {
    const { setup, setupDigest, folder } = this.request;
    if (setup.length === 0) return undefined;
    const { setups } = this.parts;
    const key = sha256(JSON.stringify([setupDigest, setup, this.environmentDigest]));
    if (await setups.restore({ key, folder }).catch(() => false)) return undefined;
    // If the folder cannot be examined, it is still set up, each time again.
    const before = await setups.look(folder).catch(() => undefined);
    for (const command of setup) {
      const { why, evidence } = await this.runOne(command);
      if (why === undefined) continue;
      this.evidenceOf.push(evidence);
      return { step: "setup", command, why };
    }
    await before?.keep(key);
    return undefined;
  }

  private async runCommands(): Promise<Failure | undefined> {
    for (const command of this.request.commands) {
      const { why, evidence } = await this.runOne(command);
      this.evidenceOf.push(evidence);
      if (why !== undefined) return { step: "verify", command, why };
    }
    return undefined;
  }

  private runOne(command: string) {
    const { folder, marks } = this.request;
    this.observer.onCommand?.(command);
    this.current = new CommandRun({
      processes: this.parts.processes,
      command,
      folder,
      environment: { ...this.parts.clean, ...marks },
      confinement: this.confinement(),
      onLine: (line) => this.observer.onSign?.({ command, line }),
    });
    // It may have been cancelled while a setup was being copied.
    if (this.isCancelled) this.current.cancel();
    return this.current.ended;
  }

  private confinement(): Confinement {
    const { readOnly, writable = [], folder } = this.request;
    return { readOnly: [...readOnly, this.parts.setups.folder], writable: [...writable, folder] };
  }
}
