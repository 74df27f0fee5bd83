/**
 * Globs over canonical paths, with three parts only: literal text, `*` (anything but `/`), and `**` as a whole
 * component (any number of components; at least one at the end). A trailing `/` means everything below. All other
 * characters, including brackets and question marks, stand for themselves, so no name needs escaping and no pattern is
 * slow.
 */
export type Glob = (path: string) => boolean;

export function glob(pattern: string): Glob {
  const whole = pattern.replace(/^\.\//, "").replace(/\/(?:\*\*)?$/, "/**/*");
  if (!whole.includes("*")) return (path) => path === whole;
  const parts = whole.split("/");
  return (path) => matches(parts, path.split("/"), matchesComponent, (part) => part === "**");
}

/**
 * Whether any pattern matches. Most patterns are names and folders that may be anywhere; those are looked up in sets,
 * so a list of hundreds costs little more than one.
 */
export function anyGlob(patterns: readonly string[]): Glob {
  const names = new Set<string>();
  const folders = new Set<string>();
  const others: Glob[] = [];
  for (const pattern of patterns) {
    const [, name, isFolder] = anywhere.exec(pattern) ?? [];
    if (name === undefined) others.push(glob(pattern));
    else (isFolder ? folders : names).add(name);
  }
  return (path) => {
    const components = path.split("/");
    const name = components.pop() ?? "";
    return (
      names.has(name) ||
      components.some((component) => folders.has(component)) ||
      others.some((matches) => matches(path))
    );
  };
}

/** Takes patterns separated by white space; each matches anywhere in the tree. */
export function anywhereGlob(patterns: string): Glob {
  const each = patterns.trim().split(/\s+/);
  return anyGlob(each.map((pattern) => `**/${pattern}`));
}

/** A literal name, or folder, after a leading `**`. */
const anywhere = /^\*\*\/([^*/]+)(\/(?:\*\*)?)?$/;

function matchesComponent(part: string, component: string): boolean {
  if (!part.includes("*")) return part === component;
  const same = (one: string, other: string) => one === other;
  return matches([...part], [...component], same, (each) => each === "*");
}

/**
 * Whether the items fit the parts, where a wild part stands for any number of items. Backtracking to the last wild part
 * is enough, because an earlier one could do no better; so it takes at most parts × items steps.
 */
function matches(
  parts: readonly string[],
  items: readonly string[],
  fits: (part: string, item: string) => boolean,
  isWild: (part: string) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  let lastWild = -1;
  let resumeAt = 0;
  while (item < items.length) {
    const current = parts[part];
    if (current !== undefined && isWild(current)) {
      lastWild = part++;
      resumeAt = item;
    } else if (current !== undefined && fits(current, items[item] ?? "")) {
      part++;
      item++;
    } else if (lastWild >= 0) {
      part = lastWild + 1;
      item = ++resumeAt;
    } else return false;
  }
  return parts.slice(part).every(isWild);
}
