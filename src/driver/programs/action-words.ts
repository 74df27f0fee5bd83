/** Describes what an agent does, from the tool that it calls: "editing src/a.ts", "running npm test". */
import { isAbsolute, relative } from "node:path";
import { oneLine } from "../../std/printable.ts";
import { listField, recordField, textField } from "./event-fields.ts";

export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly desk: string;
}

export function actionWords({ tool, input, desk }: ToolCall): string {
  const verb = verbs[tool.toLowerCase()];
  const fields = recordField(input);
  const found = fieldNames.flatMap((name) => wordIn(fields[name]) ?? []).at(0);
  if (verb === undefined || found === undefined) return oneLine(`using ${tool}`, 120);
  return oneLine(`${verb} ${inDesk(found, desk)}`, 120);
}

/** A path at the desk becomes relative to it; anything else stays as it is. */
function inDesk(path: string, desk: string): string {
  if (!isAbsolute(path)) return path;
  const inner = relative(desk, path);
  return inner === "" || inner.startsWith("..") ? path : inner;
}

function wordIn(value: unknown): string | undefined {
  const words = Array.isArray(value)
    ? listField(value)
        .flatMap((item) => textField(item) ?? [])
        .join(" ")
    : textField(value);
  return words === undefined || words.trim() === "" ? undefined : words.trim();
}

/** The tools of all clients: a name means the same in each of them. */
const verbs: Readonly<Record<string, string>> = {
  ...named("editing", "write edit multiedit notebookedit patch apply_patch write_file replace"),
  ...named("reading", "read read_file read_many_files view_image"),
  ...named("running", "bash run_shell_command shell exec_command execute"),
  ...named(
    "looking for",
    "grep glob grep_search search_file_content codesearch websearch google_web_search web_search search",
  ),
  ...named("looking into", "list ls list_directory"),
  ...named("fetching", "webfetch web_fetch fetch"),
  ...named("handing on", "task agent"),
  ...named("removing", "delete"),
  ...named("moving", "move"),
};

function named(verb: string, tools: string): Record<string, string> {
  return Object.fromEntries(tools.split(" ").map((tool) => [tool, verb]));
}

/** The most telling field first. */
const fieldNames = [
  "file_path",
  "filePath",
  "notebook_path",
  "absolute_path",
  "command",
  "cmd",
  "pattern",
  "query",
  "url",
  "description",
  "path",
  "dir_path",
  "paths",
  "prompt",
];
