/**
 * The port to verification: commands run on a checkout, and the evidence of what happened.
 *
 * The checkout is clean, holds exactly one tree, and no agent ever worked in it; whoever asks has made it so. Commands
 * come from the plan and the configuration that a person approved, never from an agent.
 */
export interface Verifier {
  verify(request: VerifyRequest, watching?: VerifyWatching): VerifyHandle;
}

export interface VerifyRequest {
  readonly tree: string;
  readonly folder: string;
  /** Run first, in this order; what they leave is kept and used again for the same digest. */
  readonly setup: readonly string[];
  /** Of what the setup depends on, besides its own commands. */
  readonly setupDigest: string;
  /** Run in this order, each with the shell, until one fails. */
  readonly commands: readonly string[];
  /** Marks for the environment of the commands (COX_RUN …). */
  readonly marks: Readonly<Record<string, string>>;
  readonly readOnly: readonly string[];
}

export interface VerifyWatching {
  /** A command begins, of the setup too; the one before it has ended. */
  onCommand?(command: string): void;
  onSign?(sign: { readonly command: string; readonly line: string }): void;
}

export interface VerifyHandle {
  /** Never rejects. */
  readonly evidence: Promise<Evidence>;
  cancel(): void;
}

/** What was seen, bound to the tree it was seen on. */
export interface Evidence {
  readonly tree: string;
  readonly passed: boolean;
  /** Why it did not pass: a command failed, was ended by us, could not be started; or the setup did. */
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
  /** Of all it printed, both streams in the order they came. */
  readonly outputSha256: string;
  /** The last part of it, as text. */
  readonly output: string;
}
