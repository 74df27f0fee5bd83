/**
 * The port to serving HTTP on this machine alone: it listens on 127.0.0.1 and nowhere else. A request arrives whole,
 * an answer is written piece by piece, and may be left unfinished on purpose.
 */
export interface LoopbackServers {
  /** Port 0 lets the machine choose. Rejects with EADDRINUSE or EACCES where the port cannot be had. */
  listen(
    port: number,
    serve: (request: HttpRequest, answer: HttpAnswer) => Promise<void>,
  ): Promise<Listening>;
}

export interface Listening {
  readonly port: number;
  /** Ends every connection too, whatever it is in the middle of. */
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpAnswer {
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  write(text: string): void;
  end(text?: string): void;
  /** Closes the connection under whoever waits, in the middle of the answer or before it. */
  drop(): void;
  /** Aborted when the one who asked has gone, or the server closes. */
  readonly gone: AbortSignal;
}
