import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { nodeLoopbackServers } from "../../world/network/node-loopback-server.ts";
import { sendResponse } from "./send-response.ts";

test("MCP-20 an HTTP client that never reads is disconnected, and nothing more is produced for it", async () => {
  const { end, made } = await streamTo("never reads");
  expect(end).toBe("dropped");
  // What the kernel buffers for both ends, and a little more.
  expect(made).toBeLessThan(64 * 1024 * 1024);
});

test("an HTTP client that reads gets the whole response", async () => {
  const { end, read } = await streamTo("reads", 64);
  expect(end).toBe("sent");
  expect(read).toBeGreaterThan(64 * 65_536);
});

test("an HTTP client that goes away ends its stream", async () => {
  const { isCancelled } = await streamTo("goes");
  expect(isCancelled).toBe(true);
});

/** Streams endlessly, or a number of 64 KiB pieces, to a client of the given kind. */
async function streamTo(client: "reads" | "never reads" | "goes", pieces = Number.POSITIVE_INFINITY) {
  let made = 0;
  let read = 0;
  let isCancelled = false;
  const body = new ReadableStream({
    async pull(controller) {
      // A library with a lot to send still lets other work run.
      await new Promise(setImmediate);
      if (made >= pieces * 65_536) {
        controller.close();
        return;
      }
      made += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      isCancelled = true;
    },
  });
  let ended: (end: string) => void = () => {};
  const end = new Promise<string>((resolve) => {
    ended = resolve;
  });
  const server = await nodeLoopbackServers.listen(0, (_request, answer) =>
    sendResponse(answer, new Response(body)).then(ended, () => ended("broken")),
  );
  onTestFinished(() => server.close());
  const socket = connect(server.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  if (client === "reads") socket.on("data", (bytes) => (read += bytes.length));
  else if (client === "goes") socket.once("data", () => socket.destroy());
  return { end: await end, made, read, isCancelled };
}
