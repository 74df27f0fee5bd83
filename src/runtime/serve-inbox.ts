/** Looks into the inbox now and then while the loop runs, and hands in what lies there. */
import type { Coordinator } from "./coordinator.ts";
import type { Inbox, Request } from "./inbox.ts";

/** A person waits for the answer; an empty folder costs next to nothing to list. */
const everyMs = 200;

/** Ends with the call that it answers. */
export function serveInbox(coordinator: Coordinator, inbox: Inbox): () => void {
  let isOver = false;
  let takeBack = () => {};
  const arm = () => {
    takeBack = coordinator.hands.clock.after(
      everyMs,
      () => void look().catch((error) => coordinator.fail(error)),
    );
  };
  const look = async () => {
    for (const request of inbox.waiting()) {
      if (isOver) return;
      await handIn(coordinator, inbox, request);
    }
    if (!isOver) arm();
  };
  arm();
  return () => {
    isOver = true;
    takeBack();
  };
}

async function handIn(coordinator: Coordinator, inbox: Inbox, { id, command }: Request): Promise<void> {
  const admitted = coordinator.submit(command);
  if ("refused" in admitted) {
    // It was admitted before a crash, and is only lying there still.
    const isRepeated = admitted.refused === "request-already-handled";
    // In a moment it may be possible; whoever asked waits.
    if (admitted.refused === "not-possible-now" && coordinator.state.queue.length > 0) return;
    await inbox.settle(id, isRepeated ? undefined : admitted);
    return;
  }
  await coordinator.durable();
  await inbox.settle(id);
}
