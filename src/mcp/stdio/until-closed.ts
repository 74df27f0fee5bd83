/** Waits until the client closes the connection, or closes it when the signal is aborted. */
interface Served {
  readonly transport: { readonly closed: Promise<void> };
  readonly connection: { close(): Promise<void> };
  readonly signal: AbortSignal;
}

export async function untilClosed({ transport, connection, signal }: Served): Promise<void> {
  const stop = () => void connection.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await transport.closed;
    await connection.close();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
