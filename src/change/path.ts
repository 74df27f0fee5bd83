/**
 * Turns paths as a model writes them into canonical paths, or refuses them.
 *
 * The rules ignore the disk and are the same on every system. A name that would be a different file, a device or an
 * option on another system is refused here too, because repositories move between systems. Spellings that clearly mean
 * the same place (`./a`, `a//b`, an absolute path inside the root) are accepted. Nothing is ever repaired by dropping
 * `..` or normalising letters.
 */
import { counted, grouped } from "../std/counted.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { bidi, codePointName, control, invisible, loneSurrogate, shownSelector } from "../std/unicode.ts";
import { utf8Length } from "../std/utf8.ts";

/** A path inside the root in its one canonical spelling: relative, `/` between components, NFC, no `.` or `..`. */
export type TreePath = string & { readonly brand: "TreePath" };

export type Canonical = { readonly path: TreePath } | { readonly problem: Problem };

/** `root` is the absolute path of the workspace, as it may appear at the start of an absolute path. */
export function canonicalPath(given: string, root: string): Canonical {
  const refuse = (code: string, what: string, hint: string): Canonical => ({
    problem: { code, message: `${quote(given)}: ${what}`, hint, path: oneLine(given) },
  });

  if (given === "") return refuse("PATH_EMPTY", "the path is empty", relativeHint);
  // Nothing of this length can be a valid path, and the rules below need not read megabytes to say so.
  if (given.length > readMax)
    return refuse("PATH_TOO_LONG", counted(given.length, "character"), "Use a shorter path.");
  const spelled = given.split("/");
  const climbs = spelled.indexOf("..");
  if (climbs >= 0) {
    return refuse(
      "PATH_DOTDOT",
      `component ${climbs + 1} is ".."`,
      "Write the path from the root, without `..`.",
    );
  }

  let components = spelled.filter(isNamed);
  if (given.startsWith("/")) {
    const inside = below(components, root.split("/").filter(isNamed));
    if (!inside) {
      const where = oneLine(root);
      return refuse("PATH_ABSOLUTE", `an absolute path outside the root ${where}`, relativeHint);
    }
    components = inside;
  }

  for (const rule of rules) {
    for (const [at, component] of components.entries()) {
      const what = rule.breaks(component);
      if (what) return refuse(rule.code, `component ${at + 1}, ${quote(component, 40)}, ${what}`, rule.hint);
    }
  }
  if (components[0]?.startsWith("~")) {
    const hint = "Write the path from the root; `~` is not expanded here, but a shell may do so later.";
    return refuse("PATH_TILDE", 'the path begins with "~"', hint);
  }

  const path = components.join("/");
  const bytes = utf8Length(path);
  if (bytes > pathBytesMax) {
    return refuse(
      "PATH_TOO_LONG",
      `${counted(bytes, "byte")}, the limit is ${grouped(pathBytesMax)}`,
      "Use a shorter path.",
    );
  }
  if (components.length > depthMax) {
    const what = `${components.length} components, the limit is ${depthMax}`;
    return refuse("PATH_TOO_DEEP", what, "Use fewer folders.");
  }
  if (components.length === 0) return refuse("PATH_DOT", "this is the root itself", "Name a file.");
  if (!isNamed(spelled.at(-1) ?? "")) {
    const hint = `Name a file in it, such as ${quote(`${path}/name.txt`)}; folders are made as needed.`;
    return refuse("PATH_IS_DIRECTORY", "the end of the path names a folder", hint);
  }
  return { path: path as TreePath };
}

/**
 * Equal for two paths that are one file on a file system that ignores case.
 *
 * Lower, upper, then lower again: upper turns "ß" into "SS", and the first lower turns "ẞ" into "ß".
 */
export function foldPath(path: string): string {
  return path.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}

const componentBytesMax = 255;
const pathBytesMax = 1024;
const readMax = 65_536;
/** Limits how many folders are held open while a path is walked. */
const depthMax = 64;

const relativeHint = 'Write the path from the root, such as "src/app.ts".';

interface Rule {
  readonly code: string;
  readonly hint: string;
  /** What is wrong with the component, worded as the end of a sentence about it. */
  breaks(component: string): string | undefined;
}

/** Most dangerous first: when a path breaks several rules, the first is reported. */
const rules: readonly Rule[] = [
  {
    code: "PATH_NUL",
    hint: "Leave the NUL character out.",
    breaks: (component) => (component.includes("\0") ? "holds a NUL character" : undefined),
  },
  {
    code: "PATH_ILL_FORMED",
    hint: "Write the character as a whole pair, or leave it out.",
    breaks: (component) => found(component, loneSurrogate, "half a surrogate pair"),
  },
  {
    code: "PATH_CONTROL",
    hint: "Leave control characters (tab and line end among them) out.",
    breaks: (component) => found(component, control, "a control character"),
  },
  {
    code: "PATH_BIDI",
    hint: "Leave characters that change the direction of text out.",
    breaks: (component) => found(component, bidi, "a character that changes the direction of text,"),
  },
  {
    code: "PATH_INVISIBLE",
    hint: "Leave characters that cannot be seen out.",
    breaks: (component) => found(component.replace(shownSelector, ""), invisible, "an invisible character,"),
  },
  {
    code: "PATH_BACKSLASH",
    hint: "Separate folders with `/`.",
    breaks: (component) => (component.includes("\\") ? "holds a backslash" : undefined),
  },
  {
    code: "PATH_COLON",
    hint: "Leave the colon out: on Windows it names a drive or a hidden stream of another file.",
    breaks: (component) => (component.includes(":") ? "holds a colon" : undefined),
  },
  {
    code: "PATH_NOT_NFC",
    hint: "Write accented letters as one character (Unicode NFC).",
    breaks: (component) =>
      component === component.normalize("NFC") ? undefined : "is not in Unicode's composed form (NFC)",
  },
  {
    code: "PATH_RESERVED_NAME",
    hint: "Choose another name: Windows takes this one for a device, whatever its extension.",
    breaks: (component) => (isDevice(component) ? "is the name of a device on Windows" : undefined),
  },
  {
    code: "PATH_TRAILING_DOT_SPACE",
    hint: "Leave the dot or space at its end out: Windows drops it, and the name becomes another one.",
    breaks: (component) => (/[. ]$/.test(component) ? "ends in a dot or a space" : undefined),
  },
  {
    code: "PATH_LEADING_DASH",
    hint: "Choose a name that no program can take for an option.",
    breaks: (component) => (component.startsWith("-") ? 'begins with "-"' : undefined),
  },
  {
    code: "PATH_COMPONENT_TOO_LONG",
    hint: `Use a name of at most ${componentBytesMax} bytes in UTF-8.`,
    breaks: (component) => {
      const bytes = utf8Length(component);
      return bytes > componentBytesMax
        ? `has ${counted(bytes, "byte")}, the limit is ${componentBytesMax}`
        : undefined;
    },
  },
];

function isNamed(component: string): boolean {
  return component !== "" && component !== ".";
}

/** The components below `root`. Whole components are compared, so `/root-evil` is not inside `/root`. */
function below(components: string[], root: readonly string[]): string[] | undefined {
  if (!root.every((component, at) => components[at] === component)) return undefined;
  return components.slice(root.length);
}

function found(component: string, characters: RegExp, what: string): string | undefined {
  const match = characters.exec(component);
  if (!match) return undefined;
  return `holds ${what} ${codePointName(match[0])}`;
}

function isDevice(component: string): boolean {
  const base = component.split(".", 1)[0] ?? "";
  return device.test(base.trimEnd());
}

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/iu;
