/**
 * The table of sizes in docs/how-we-test.md names every test that asks for its size, and has the same numbers as the
 * source.
 */
import type { Finding, TextFile } from "./rule.ts";

const page = "docs/how-we-test.md";

export function sizesAreListed(files: readonly TextFile[]): Finding[] {
  const text = files.find(({ path }) => path === page)?.text ?? "";
  const rows = text.split("\n").flatMap((line) => rowIn(line) ?? []);
  const sized = files.filter(
    ({ path, text: source }) => /^(src|test|bench)\/.*\.ts$/.test(path) && asksForSize(source),
  );
  const named = rows.flatMap(({ paths }) => paths);
  return [
    ...sized.filter(({ path }) => !named.includes(path)).map(({ path }) => `${page}: no row names ${path}`),
    ...rows.flatMap((row) => row.paths.flatMap((path) => wrongIn(row, path, sized))),
  ];
}

interface Row {
  readonly what: string;
  readonly sample: string;
  readonly campaign: string;
  readonly paths: readonly string[];
}

function rowIn(line: string): Row | undefined {
  const [what = "", sample = "", campaign = "", where = "", ...more] = line.slice(2, -2).split(" | ");
  const paths = [...where.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = ""]) => path);
  if (!line.startsWith("| ") || more.length > 0 || paths.length === 0) return undefined;
  return { what, sample, campaign, paths };
}

function asksForSize(source: string): boolean {
  return /^import (?!type )[^;]*? from "[^"]*\/sized\.ts";$/m.test(source);
}

function wrongIn({ what, sample, campaign }: Row, path: string, sized: readonly TextFile[]): Finding[] {
  const source = sized.find((file) => file.path === path)?.text;
  if (source === undefined) return [`${page}: ${path} asks for no size (${what})`];
  const pairs = [...source.matchAll(/sample: ([\d_]+), campaign: ([\d_]+)/g)].map(([, ...sizes]) =>
    sizes.map((size) => size.replaceAll("_", "")).join(" "),
  );
  const told = [sample, campaign].map((cell) => cell.replaceAll(",", ""));
  if (!told.every((cell) => /^\d+$/.test(cell)) || pairs.includes(told.join(" "))) return [];
  return [`${page}: ${path} has no sizes ${sample} and ${campaign} (${what})`];
}
