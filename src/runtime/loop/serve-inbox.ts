/** Checks the inbox regularly while the loop runs and submits the requests in it. */
import type { Coordinator } from "./coordinator.ts";
import type { Inbox, Request } from "./inbox.ts";

/** A person is waiting for the answer, and listing an empty folder costs almost nothing. */
const everyMs = 200;

/** Call the returned function to stop. */
export function serveInbox(coordinator: Coordinator, inbox: Inbox): () => void {
  let isOver = false;
  let takeBack = () => {};
  const arm = () => {
    takeBack = coordinator.ports.clock.after(
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
    // It was admitted before a crash, and only its file is left.
    const isRepeated = admitted.refused === "request-already-handled";
    // It may become possible in a moment; the requester waits.
    if (admitted.refused === "not-possible-now" && coordinator.state.queue.length > 0) return;
    await inbox.settle(id, isRepeated ? undefined : admitted);
    return;
  }
  await coordinator.durable();
  await inbox.settle(id);
}
