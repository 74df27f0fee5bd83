/**
 * Which proxy to use for a URL, from the usual variables: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in
 * lower or upper case. Addresses on this machine are always reached directly.
 */
import { isLoopback } from "../../std/is-loopback.ts";

export function proxyFor(
  url: URL,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { protocol, hostname } = url;
  const said = (name: string) => environment[name] || environment[name.toUpperCase()] || undefined;
  const proxy = said(protocol === "https:" ? "https_proxy" : "http_proxy") ?? said("all_proxy");
  if (proxy === undefined || isLoopback(url)) return undefined;
  const place = { host: hostname.toLowerCase(), port: portOf(url) };
  const isDirect = (said("no_proxy") ?? "").split(/[\s,]+/).some((entry) => covers(entry, place));
  if (isDirect) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

export function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}

/** An entry is a host and covers its subdomains, with or without a leading dot or `*.`, and with or without a port. */
function covers(entry: string, place: { readonly host: string; readonly port: string }): boolean {
  if (entry === "*") return true;
  const [, named = "", port] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  const host = named.replace(/^\*?\./, "");
  if (host === "" || (port !== undefined && port !== place.port)) return false;
  return place.host === host || place.host.endsWith(`.${host}`);
}
