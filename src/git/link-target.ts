/**
 * Whether a link stays inside the desk wherever it is checked out.
 *
 * Only leading `../` followed by plain names is allowed. A link's own folder is a real one, so leading `..` climb
 * through real folders, while `..` after a name might climb from wherever another link led.
 */
import { quote } from "../std/printable.ts";
import { type BytePath, textOfBytePath } from "../world/files/byte-path.ts";

/** What is wrong with it, worded as the end of a sentence; undefined when the link is allowed. */
export function strayLink(path: BytePath, target: BytePath): string | undefined {
  const text = textOfBytePath(target);
  if (text === undefined) return "leads to a name that is not UTF-8";
  if (text.startsWith("/")) return `leads to ${quote(text)}, an absolute path`;
  const folders = path.split("/").length - 1;
  const components = text.split("/").filter((component) => component !== "" && component !== ".");
  const climbs = components.findIndex((component) => component !== "..");
  const up = climbs < 0 ? components.length : climbs;
  const names = components.slice(up);
  if (up > folders) return `leads to ${quote(text)}, outside the desk`;
  if (names.includes("..")) return `leads to ${quote(text)}, which climbs again after a name`;
  const whole = [...path.split("/").slice(0, folders - up), ...names];
  if (whole.some((component) => component.toLowerCase() === ".git"))
    return `leads to ${quote(text)}, into a git directory`;
  return undefined;
}
