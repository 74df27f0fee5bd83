/** One bad input, or a control beside it, as something that can be run against a real folder. */
export interface Row {
  /** The id of the input in the list this table was made from, with a word when it holds several. */
  readonly id: string;
  /** What it is about, for the title. */
  readonly about: string;
  readonly setUp?: (place: Place) => void;
  /** Undoes what would keep the folder from being removed. */
  readonly tearDown?: (place: Place) => void;
  readonly reply: (place: Place) => string | Uint8Array;
  readonly options?: RowOptions;
  readonly expect: Expectation;
}

export interface Place {
  readonly root: string;
  /** A folder beside the root, where nothing may ever change. */
  readonly outside: string;
}

export interface RowOptions {
  readonly writes?: readonly string[];
  readonly fence?: string;
}

export type Expectation =
  /** Refused with this code, and no byte of the tree differs. */
  | { readonly refused: string }
  /** Waits for a person with this code, and no byte of the tree differs. */
  | { readonly waiting: string }
  | {
      /** What is in these files afterwards; null where nothing may be. */
      readonly applied: Readonly<Record<string, string | null>>;
      /** A warning must come with this code; "any" where the code does not matter. */
      readonly warning?: string;
      readonly check?: (place: Place) => void;
    };

/** Thrown by a set-up that this machine does not allow. */
export class NotPossibleHere extends Error {}

export type OperationObject = Readonly<Record<string, unknown>>;

export function replyOf(...operations: readonly OperationObject[]): string {
  return `Here you are.\n\n\`\`\`json\n${JSON.stringify(envelope(operations), null, 1)}\n\`\`\`\n`;
}

export function envelope(operations: readonly OperationObject[]): object {
  return { file_operations: operations, specialist_summary: "A test of what is refused" };
}

export function create(path: string, content: unknown = "content\n"): OperationObject {
  return { operation: "create", file_path: path, description: "Make this file here", content };
}

export function append(path: string, content: string): OperationObject {
  return { operation: "append", file_path: path, description: "Append to this file", content };
}

export function remove(path: string): OperationObject {
  return { operation: "delete", file_path: path, description: "Delete this file here" };
}

export function edit(
  path: string,
  ...edits: readonly (readonly [old: string, now: string])[]
): OperationObject {
  return {
    operation: "edit",
    file_path: path,
    description: "Edit this file in place",
    edits: edits.map(([old_string, new_string]) => ({ old_string, new_string })),
  };
}

export function rewrite(path: string, content: string): OperationObject {
  return { operation: "edit", file_path: path, description: "Write this file anew", content };
}
