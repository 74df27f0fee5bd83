/** A command as plain data: its words, its options, its help; and the options that several commands share. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  /** More on what it does and how it ends; shown by its own `--help` only. */
  readonly about: string;
  /** How many words it takes besides options, at most. */
  readonly words: number;
  readonly options: readonly Option[];
  readonly examples: readonly (readonly [command: string, effect: string])[];
}

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What stands for the value in help; an option without one is a switch. */
  readonly argument?: string;
  /** The values there are, where they are few. */
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
  text: "The run, by any beginning of its name (default: the one that began last)",
};
export const noInput: Option = {
  name: "no-input",
  text: "Never ask; stop with exit 3 where a person is needed",
};
export const json: Option = {
  name: "json",
  text: "Print one JSON document, on failure too, and nothing else",
};
