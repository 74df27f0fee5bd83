/**
 * The port to verification: runs commands on a checkout and returns evidence of what happened.
 *
 * The caller provides a clean checkout that holds exactly one tree and in which no agent ever worked. Commands come
 * from the plan and the configuration that a person approved, never from an agent.
 */
export interface Verifier {
  verify(request: VerifyRequest, observer?: VerifyObserver): VerifyHandle;
}

export interface VerifyRequest {
  readonly tree: string;
  readonly folder: string;
  /** Run first, in this order. Their results are kept and reused for the same digest. */
  readonly setup: readonly string[];
  /** Digest of what the setup depends on, besides its own commands. */
  readonly setupDigest: string;
  /** Run in this order, each in a shell, until one fails. */
  readonly commands: readonly string[];
  /** Variables added to the commands' environment (COX_RUN …). */
  readonly marks: Readonly<Record<string, string>>;
  /** Where else the commands may write, and where they may not, wherever it lies. */
  readonly writable?: readonly string[];
  readonly readOnly: readonly string[];
}

export interface VerifyObserver {
  /** Called when a command begins, including setup commands; the previous one has ended. */
  onCommand?(command: string): void;
  onSign?(sign: { readonly command: string; readonly line: string }): void;
}

export interface VerifyHandle {
  /** Rejects only when a command could not start because the disk is full: that says nothing about the tree. */
  readonly evidence: Promise<Evidence>;
  cancel(): void;
}

/** What was seen when the commands ran, bound to the tree they ran on. */
export interface Evidence {
  readonly tree: string;
  readonly passed: boolean;
  /** Why it did not pass: a command failed, was stopped by us, or could not be started; or the setup did. */
  readonly failure?: { readonly step: "setup" | "verify"; readonly command: string; readonly why: string };
  readonly setupDigest: string;
  readonly environmentDigest: string;
  readonly commands: readonly CommandEvidence[];
  readonly durationMs: number;
}

export interface CommandEvidence {
  readonly command: string;
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly durationMs: number;
  /** Hash of the whole output, both streams in order of arrival. */
  readonly outputSha256: string;
  /** The last part of the output, as text. */
  readonly output: string;
}
