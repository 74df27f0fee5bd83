/**
 * Stands before a server for a client that cannot send a token: adds it, and passes everything else on as it came, a
 * foreign Host and Origin too.
 */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export async function withToken({ url, token }: { url: string; token: string }): Promise<string> {
  const to = new URL(url);
  let own = "";
  const server = createServer((incoming, out) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    if (headers.host === own) headers.host = to.host;
    if (headers.origin === `http://${own}`) headers.origin = `http://${to.host}`;
    const { method, url: path } = incoming;
    const passed = request({ host: to.hostname, port: to.port, path, method, headers }, (answer) => {
      out.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(out);
    });
    passed.on("error", () => out.destroy());
    out.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  own = `localhost:${(server.address() as AddressInfo).port}`;
  return `http://${own}${to.pathname}`;
}
