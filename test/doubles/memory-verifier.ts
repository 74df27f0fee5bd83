/**
 * Verification without processes, for the simulation: a function decides each command's exit code on a tree.
 *
 * Nothing is measured or left to chance, so the same request always gives the same evidence.
 */

import type { CommandEvidence, Evidence, Verifier, VerifyRequest } from "../../src/verify/verifier.ts";
import { sha256 } from "../../src/world/files/hash.ts";

export interface MemoryVerifierParts {
  exitCode(tree: string, command: string): number;
  /** Awaited before each command, so that a scheduler decides when it runs. */
  turn?(): Promise<void>;
}

export function memoryVerifier({ exitCode, turn = async () => {} }: MemoryVerifierParts): Verifier {
  return {
    verify(request, observer = {}) {
      let isCancelled = false;
      const evidence = run(request, async (command) => {
        observer.onCommand?.(command);
        await turn();
        return isCancelled ? "cancelled" : exitCode(request.tree, command);
      });
      const cancel = () => {
        isCancelled = true;
      };
      return { evidence, cancel };
    },
  };
}

type RunCommand = (command: string) => Promise<number | "cancelled">;

async function run(request: VerifyRequest, runCommand: RunCommand): Promise<Evidence> {
  const { tree, setup, setupDigest } = request;
  const commands: CommandEvidence[] = [];
  const failure =
    (await firstFailure("setup", setup, (one) => one.exitCode !== 0 && commands.push(one))) ??
    (await firstFailure("verify", request.commands, (one) => commands.push(one)));
  return {
    tree,
    passed: failure === undefined,
    ...(failure && { failure }),
    setupDigest,
    environmentDigest: sha256("memory"),
    commands,
    durationMs: 0,
  };

  async function firstFailure(
    step: "setup" | "verify",
    steps: readonly string[],
    note: (one: CommandEvidence) => void,
  ): Promise<Evidence["failure"]> {
    for (const command of steps) {
      const code = await runCommand(command);
      note(evidenceOf(command, code === "cancelled" ? null : code));
      if (code !== 0) return { step, command, why: code === "cancelled" ? code : `exit code ${code}` };
    }
    return undefined;
  }
}

function evidenceOf(command: string, exitCode: number | null): CommandEvidence {
  return {
    command,
    argv: ["/bin/sh", "-c", command],
    exitCode,
    durationMs: 0,
    outputSha256: sha256(""),
    output: "",
  };
}
