/**
 * Checks whether this user approved a run here. The run's folder is in the repository, so a clone may contain one that
 * somebody else wrote. Nothing in it is executed or accepted as a decision until a person here approves it.
 */
import { commandDigest } from "../../config/trust/commands.ts";
import type { Approval } from "../../config/trust/inputs.ts";
import { Trust } from "../../config/trust/trust.ts";
import type { State } from "../../kernel/state.ts";
import type { Problem } from "../../std/problem.ts";
import type { Files } from "../../world/files/files.ts";

/** What the approval of a run covers. */
export class ApprovedHere {
  readonly commands: readonly string[];
  readonly #trust: Trust;
  readonly #approval: Approval;

  /** `trustFolder` stores what this user trusts. */
  constructor(
    files: Files,
    private readonly where: { readonly trustFolder: string; readonly root: string },
    state: State,
  ) {
    this.#trust = Trust.open(files, where.trustFolder);
    this.commands = commandsIn(state);
    this.#approval = approvalOf(state);
  }

  get isGiven(): boolean {
    const { root } = this.where;
    return (
      this.#digests().every((digest) => this.#trust.isKnown({ root, digest })) &&
      this.#trust.isApproved({ root, approval: this.#approval })
    );
  }

  /** Durable when it resolves. */
  async give(): Promise<void> {
    const { root } = this.where;
    await this.#trust.remember({ root, digests: this.#digests() });
    await this.#trust.approve({ root, approval: this.#approval });
  }

  #digests(): string[] {
    return this.commands.map((command) => commandDigest({ command }));
  }
}

export const notApproved: Problem = {
  code: "RUN_NOT_APPROVED",
  message: "you have not approved this run in this folder; it may have come with the repository",
  hint: "Look at it: cox status, cox log. To approve and resume it: cox resume",
};

/** The commands in the log, because those would be run. */
function commandsIn({ run, tasks }: State): string[] {
  const own = [...tasks.values()].flatMap(({ facts }) => facts.verify);
  return [...new Set([...(run?.settings.setup ?? []), ...(run?.settings.verify ?? []), ...own])];
}

function approvalOf({ run }: State): Approval {
  return { plan: run?.plan_sha256 ?? "", config: run?.config_sha256 ?? "", base: run?.base ?? "" };
}
