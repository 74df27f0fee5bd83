/** `fetch` by way of the proxy that the environment names, which Node's own passes over. */
import { proxyFor } from "./proxy-for.ts";

type Fetch = typeof globalThis.fetch;

/** What it needs for a proxy is loaded with the first request that goes by one. */
export function proxiedFetch(environment: Readonly<Record<string, string | undefined>>): Fetch {
  const ways = new Map<string, Promise<Fetch>>();
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const proxy = proxyFor(url, environment);
    if (proxy === undefined) return globalThis.fetch(input, init);
    const way = ways.get(proxy) ?? byWayOf(proxy);
    ways.set(proxy, way);
    return (await way)(input, init);
  };
}

async function byWayOf(proxy: string): Promise<Fetch> {
  const { ProxyAgent, fetch } = await import("undici");
  const dispatcher = new ProxyAgent(proxy);
  // The types of this package and of Node differ in what no caller sees.
  const proxied = fetch as unknown as (input: unknown, init: object) => ReturnType<Fetch>;
  return (input, init) => proxied(input, { ...init, dispatcher });
}
