/** A proxy that makes tunnels, all of them to one port of this machine, and remembers what it was asked. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

export interface TunnellingProxy {
  /** As a variable would say it. */
  readonly address: string;
  /** What it was asked: the place, and all headers. */
  readonly asked: readonly string[];
}

export async function tunnellingProxy(port: number): Promise<TunnellingProxy> {
  const asked: string[] = [];
  const server = createServer().on("connect", (request, client) => {
    asked.push(`${request.url} ${JSON.stringify(request.headers)}`);
    const there = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    there.pipe(client).on("error", () => there.destroy());
    client.pipe(there).on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
