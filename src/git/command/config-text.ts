/** Builds a git configuration file from settings by key. Every value is quoted, so none can start a new line. */
import type { CheckoutPaths } from "./checkout-paths.ts";

export function configText({ objectFormat }: CheckoutPaths, settings: ReadonlyMap<string, string>): string {
  const format: [string, string][] =
    objectFormat === "sha1"
      ? [["core.repositoryformatversion", "0"]]
      : [
          ["core.repositoryformatversion", "1"],
          ["extensions.objectformat", objectFormat],
        ];
  return [...format, ["core.bare", "false"] as const, ...settings]
    .map(([key, value]) => lineOf(key, value))
    .join("");
}

function lineOf(key: string, value: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first);
  const inner = first === last ? "" : ` ${quoted(key.slice(first + 1, last))}`;
  return `[${section}${inner}]\n\t${key.slice(last + 1)} = ${quoted(value)}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`;
}
