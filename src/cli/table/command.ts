/** A command as plain data: its words, options and help. Also the options that several commands share. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  /** More about what it does and how it ends; shown only by its own `--help`. */
  readonly about: string;
  /** The maximum number of words besides options. */
  readonly words: number;
  /** What the first words mean, for completion. */
  readonly takes?: readonly Word[];
  readonly options: readonly Option[];
  /** Accepts every setting as an option, for this one time. */
  readonly takesSettings?: true;
  readonly examples: readonly (readonly [command: string, effect: string])[];
}

/** A word of a command: one of a fixed list, or something in a repository. `text` is free text. */
export type Word =
  | "plan"
  | "run"
  | "task"
  | "question"
  | "agent-or-driver"
  | "workflow"
  | "file"
  | "text"
  | readonly string[];

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** The placeholder for the value in help. An option without one is a switch. */
  readonly argument?: string;
  /** The allowed values, if there are only a few. */
  readonly oneOf?: readonly string[];
  readonly repeatable?: true;
  readonly text: string;
}

export const root: Option = {
  name: "root",
  argument: "DIR",
  text: "The folder to work on; nothing outside it is touched (default: here)",
};
export const yes: Option = {
  name: "yes",
  short: "y",
  text: "Approve the plan and the commands of its configuration",
};
export const run: Option = {
  name: "run",
  argument: "RUN",
  text: "The run, by any unique start of its name (default: the newest)",
};
export const noInput: Option = {
  name: "no-input",
  text: "Never ask: if a person is needed, stop and say what to type (exit 3)",
};
export const json: Option = {
  name: "json",
  text: "Print one JSON document, on failure too, and nothing else",
};
