/**
 * Globs over canonical paths, with three parts only: literal text, `*` (anything but `/`), and `**` as a whole
 * component (any number of components; at the end at least one). A `/` at the end means everything below. All
 * other characters, brackets and question marks too, stand for themselves, so no name needs escaping and no
 * pattern is slow.
 */
export type Glob = (path: string) => boolean;

export function glob(pattern: string): Glob {
  const whole = pattern.replace(/^\.\//, "").replace(/\/(?:\*\*)?$/, "/**/*");
  if (!whole.includes("*")) return (path) => path === whole;
  const parts = whole.split("/");
  return (path) => matches(parts, path.split("/"), matchesComponent, (part) => part === "**");
}

export function anyGlob(patterns: readonly string[]): Glob {
  const globs = patterns.map(glob);
  return (path) => globs.some((each) => each(path));
}

function matchesComponent(part: string, component: string): boolean {
  if (!part.includes("*")) return part === component;
  const same = (one: string, other: string) => one === other;
  return matches([...part], [...component], same, (each) => each === "*");
}

/**
 * Whether the items fit the parts, a wild one standing for any number of items. Going back only to the last wild
 * part is enough, since an earlier one could do no better; so it takes at most parts × items steps.
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
