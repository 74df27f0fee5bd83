/**
 * The port to serving HTTP on this machine alone: it listens on 127.0.0.1 and nowhere else. A request arrives whole,
 * an answer is written piece by piece, and may be left unfinished on purpose.
 */
export interface LoopbackServers {
  /** Port 0 lets the machine choose. Rejects with EADDRINUSE or EACCES where the port cannot be had. */
  listen(
    port: number,
    serve: (request: HttpRequest, answer: HttpAnswer) => Promise<void>,
    guard?: Guard,
  ): Promise<Listening>;
}

/** For a server that must not be made to wait, or to read, by whoever likes. */
export interface Guard {
  /** Looks at a request before its body is read; a reply ends it. */
  admit(head: HttpHead): HttpReply | undefined;
  readonly bodyBytesMax: number;
  readonly bodyTooLong: HttpReply;
  readonly headersTooLong: HttpReply;
  /** For what is no HTTP. */
  readonly unreadable: HttpReply;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Listening {
  readonly port: number;
  /** Ends every connection too, whatever it is in the middle of. */
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
  /** Closes the connection under whoever waits, in the middle of the answer or before it. */
  drop(): void;
  /** The same at once: what waits to be taken is thrown away. */
  abandon(): void;
  /** How many bytes of it nobody has taken yet. */
  readonly waiting: number;
  /** Aborted when the one who asked has gone, or the server closes. */
  readonly gone: AbortSignal;
}
