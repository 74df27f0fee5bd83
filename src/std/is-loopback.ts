/** Whether an address is on this machine: what is sent there does not leave it, and needs neither key nor proxy. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
