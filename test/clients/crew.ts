/** A real program as the whole crew of a run: how its home looks, and what its tools are called. */
import type { ModelStep } from "../../src/model-server/script.ts";
import type { Fetchable } from "./fetched.ts";

export interface CrewClient extends Fetchable {
  /** As a user would call it. */
  readonly title: string;
  /** As a configuration names it. */
  readonly driver: string;
  /** Of an agent that speaks ACP. */
  readonly acp?: AcpStart;
  /** Of a model, where one must be named. */
  readonly agentModel?: string;
  readonly tellsCost: boolean;
  /** Whether it passes on when a limit of its model is lifted. */
  readonly tellsReset: boolean;
  /** Longer than it is ever silent while all is well, until its model first answers. */
  readonly silenceSeconds: number;
  /** How its vendor says that a prompt is too long, and what of it comes through. */
  readonly tooLong: {
    readonly message: string;
    readonly type: { errorType?: string };
    readonly says: string;
  };
  /** By their paths in the home. */
  home(model: string): Readonly<Record<string, string>>;
  env(model: string): Readonly<Record<string, string>>;
  write(path: string, content: string): ModelStep;
  shell(command: string): ModelStep;
}

export interface AcpStart {
  /** Behind its program's name. */
  readonly args: readonly string[];
  /** Than ours. */
  readonly needsNode22?: true;
  /** Whether it leaves its turn's own server to who may change nothing. */
  readonly servesReaders?: true;
  /** What it looks for in PATH. */
  readonly beside?: readonly Fetchable[];
}
