/**
 * What is allowed in `Reads`, `Writes` and `Deletes`: literal text, `*` inside a path component, `**` as a whole one.
 */

const lengthMax = 1000;

/** Why a pattern cannot be used; undefined if it can. Claiming the whole tree is as good as claiming nothing. */
export function globSyntaxMistake(pattern: string, { mayBeAll }: { mayBeAll: boolean }): string | undefined {
  if (pattern.length > lengthMax) return `has ${pattern.length} characters, over ${lengthMax}`;
  if (/[\u0000-\u001f\u007f\\]/.test(pattern)) return "holds a backslash or a control character";
  if (pattern.startsWith("/") || /^[A-Za-z]:/.test(pattern))
    return "is absolute; paths begin at the root of the repository";
  if (pattern.startsWith("~")) return "begins with ~; paths begin at the root of the repository";
  if (pattern.startsWith("!") || /[!?*+@]\(/.test(pattern)) return "has a negation or an extended pattern";
  if (/[{}]/.test(pattern)) return "has braces; write the alternatives one by one";
  if (pattern.includes("?")) return "has a question mark";
  const components = pattern.replace(/^\.\//, "").replace(/\/$/, "").split("/");
  if (components.includes("..")) return "leaves the repository (..)";
  if (components.some((each) => each === "" || each === ".")) return "has an empty component";
  if (components.some((each) => each.includes("**") && each !== "**")) return "has ** inside a component";
  if (!mayBeAll && components.every((each) => each === "**" || each === "*"))
    return "claims the whole repository";
  return undefined;
}
