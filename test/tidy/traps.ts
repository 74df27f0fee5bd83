/** The page about what would fool us names tests. Each of them must exist, or nothing guards against that trap. */
import type { Finding, TextFile } from "./rule.ts";
import { testTitles } from "./test-titles.ts";

const page = "docs/traps.md";

export function trapsHaveTests(files: readonly TextFile[]): Finding[] {
  const text = files.find(({ path }) => path === page)?.text ?? "";
  const titles = new Map<string, readonly string[]>();
  const titlesIn = (path: string) => {
    const file = files.find((one) => one.path === path);
    if (file !== undefined && !titles.has(path)) titles.set(path, testTitles(file));
    return titles.get(path);
  };
  const rows = text.split("\n").filter((line) => /^\| (?!---|what )/.test(line));
  return rows.flatMap((row) => {
    const [trap = "", tests = ""] = row.replace(/^\| | \|$/g, "").split(" | ");
    const named = [...tests.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)];
    if (named.length === 0) return [`${page}: "${trap}" names no test`];
    return named.flatMap(([, title = "", path = ""]) => {
      const found = titlesIn(path);
      if (found === undefined) return [`${page}: there is no ${path}`];
      return found.includes(title) ? [] : [`${page}: ${path} has no test "${title}"`];
    });
  });
}
