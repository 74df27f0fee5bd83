/**
 * Verification without processes, for the simulation: a function decides how each command on a tree exits.
 *
 * Nothing is measured and nothing is left to chance, so the same request has the same evidence each time.
 */
import { sha256 } from "../world/hash.ts";
import type { CommandEvidence, Evidence, Verifier, VerifyRequest } from "./verifier.ts";

export interface MemoryVerifierParts {
  exitCode(tree: string, command: string): number;
  /** Awaited before each command, so that whoever schedules decides when it is run. */
  turn?(): Promise<void>;
}

export function memoryVerifier({ exitCode, turn = async () => {} }: MemoryVerifierParts): Verifier {
  return {
    verify(request, watching = {}) {
      let isCancelled = false;
      const evidence = run(request, async (command) => {
        watching.onCommand?.(command);
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
