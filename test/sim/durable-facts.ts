/** What the durable events allow a process to do outside. Every act must be justified by one of them. */
import type { Event } from "../../src/kernel/event.ts";

export class DurableFacts {
  readonly turns = new Set<string>();
  readonly replies = new Set<string>();
  /** Trees that are to be verified. */
  readonly trees = new Set<string>();
  /** Merged trees, each with what it was merged onto. */
  readonly merged = new Set<string>();
  readonly prepared = new Set<string>();
  readonly takenBack = new Set<string>();
  readonly landings = new Set<string>();

  see({ event, data }: Event): void {
    switch (event) {
      case "run_started":
        this.trees.add(data.base_tree);
        return;
      case "agent_dispatched":
        this.turns.add(data.turn);
        return;
      case "agent_complete":
        this.replies.add(data.turn);
        return;
      case "developer_ready_for_audit":
        this.trees.add(data.tree);
        return;
      case "integration_merged":
        this.trees.add(data.tree);
        this.merged.add(`${data.onto} ${data.tree}`);
        return;
      case "integration_prepared":
        this.prepared.add(data.commit);
        return;
      case "rollback_requested":
        for (const task of data.tasks) this.takenBack.add(task);
        return;
      case "rollback_prepared":
        this.prepared.add(data.commit);
        this.trees.add(data.tree);
        return;
      case "landing_prepared":
        this.landings.add(data.to);
        return;
      default:
    }
  }
}
