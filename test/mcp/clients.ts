/** The protocol's own client, of both eras. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

type ClientOptions = NonNullable<ConstructorParameters<typeof Client>[1]>;

export function clientOf(era: Era, options: ClientOptions = {}): Client {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client(
    { name: "test-client", version: "1.0" },
    { ...options, versionNegotiation: { mode } },
  );
  onTestFinished(() => client.close());
  return client;
}

export function httpTransport(url: string, token: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}
