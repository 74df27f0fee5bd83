/** What is trusted, as data: for each repository, the commands that were seen and the plans that were approved. */
import { z } from "zod";
import type { Approval } from "./inputs.ts";

export interface TrustDocument {
  readonly repositories: readonly Trusted[];
}

export interface Trusted {
  readonly root: string;
  /** Digests of commands, the latest last. */
  readonly commands: readonly string[];
  readonly approvals: readonly Approval[];
}

/** Enough for years. The oldest are forgotten first, which only means that the user is asked again. */
const repositoriesMax = 1000;
const perRepositoryMax = 1000;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const shape = z.object({
  v: z.literal(1),
  repositories: z.array(
    z.object({
      root: z.string(),
      commands: z.array(digest),
      approvals: z.array(z.object({ plan: digest, config: digest, base: z.string() })),
    }),
  ),
});

export const nothingTrusted: TrustDocument = { repositories: [] };

/** Undefined unless it is a complete document of this version. */
export function parseTrust(text: string): TrustDocument | undefined {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A newer version of the program wrote it: it is not damaged, and we must not replace it. */
export function isNewerTrust(text: string): boolean {
  try {
    const { v } = JSON.parse(text);
    return typeof v === "number" && v > 1;
  } catch {
    return false;
  }
}

export function trustText({ repositories }: TrustDocument): string {
  return `${JSON.stringify({ v: 1, repositories }, null, 2)}\n`;
}

export function trustedOf({ repositories }: TrustDocument, root: string): Trusted {
  return repositories.find((one) => one.root === root) ?? { root, commands: [], approvals: [] };
}

/** Adds to the document; the most recently used repository comes last. */
export function withTrusted(document: TrustDocument, { root, commands, approvals }: Trusted): TrustDocument {
  const before = trustedOf(document, root);
  const merged: Trusted = {
    root,
    commands: [...new Set([...before.commands.filter((one) => !commands.includes(one)), ...commands])].slice(
      -perRepositoryMax,
    ),
    approvals: [
      ...before.approvals.filter((one) => !approvals.some((other) => isSameApproval(one, other))),
      ...approvals,
    ].slice(-perRepositoryMax),
  };
  const others = document.repositories.filter((one) => one.root !== root);
  return { repositories: [...others, merged].slice(-repositoriesMax) };
}

export function isSameApproval(one: Approval, other: Approval): boolean {
  return one.plan === other.plan && one.config === other.config && one.base === other.base;
}
