/**
 * The port to serving HTTP to this machine only: it listens on 127.0.0.1 and nowhere else. A request arrives whole. An
 * answer is written piece by piece, and may be left unfinished on purpose.
 */
export interface LoopbackServers {
  /** Port 0 lets the system choose. Rejects with EADDRINUSE or EACCES when the port is not available. */
  listen(
    port: number,
    serve: (request: HttpRequest, answer: HttpAnswer) => Promise<void>,
    guard?: Guard,
  ): Promise<ServerHandle>;
}

/** Limits for a server that no client may keep waiting or flood with input. */
export interface Guard {
  /** Checks a request before its body is read; returning a reply rejects it. */
  admit(head: HttpHead): HttpReply | undefined;
  readonly bodyBytesMax: number;
  readonly bodyTooLong: HttpReply;
  readonly headersTooLong: HttpReply;
  /** Sent for input that is not HTTP. */
  readonly unreadable: HttpReply;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ServerHandle {
  readonly port: number;
  /** Also closes every connection, whatever it is in the middle of. */
  close(): Promise<void>;
}

export interface HttpHead {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpRequest extends HttpHead {
  readonly body: Uint8Array;
}

export interface HttpAnswer {
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  write(piece: string | Uint8Array): void;
  end(text?: string): void;
  /** Closes the connection on the waiting client, in the middle of the answer or before it. */
  drop(): void;
  /** Closes at once: anything not yet sent is discarded. */
  abandon(): void;
  /** How many bytes of the answer are not sent yet. */
  readonly waiting: number;
  /** Aborted when the client is gone or the server closes. */
  readonly gone: AbortSignal;
}
