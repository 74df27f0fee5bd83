/**
 * No page and nothing that we ship mentions a feature without effect as if it had one. If a page says that something is
 * refused or left alone, that needs an allowance.
 */
import { noEffectYet } from "../../src/std/no-effect-yet.ts";
import type { Allowance, Finding, TextFile } from "./rule.ts";

const offering =
  /^(?:README\.md|docs\/[^/]+\.md|(?:profiles|templates|workflows|main-workflows|plugin|demo)\/.*)$/;
const help = /^src\/cli\/table\/[a-z]+-commands\.ts$/;

export function offersOnlyWhatWorks(
  files: readonly TextFile[],
  allowed: readonly Allowance[] = [],
): Finding[] {
  return files
    .filter(
      ({ path }) => (offering.test(path) || help.test(path)) && !allowed.some((one) => one.path === path),
    )
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, at) =>
          patterns.flatMap(({ kind, name, pattern }) =>
            pattern.test(line)
              ? [
                  `${path}:${at + 1} offers the ${kind} ${name}, which src/std/no-effect-yet.ts says has no effect`,
                ]
              : [],
          ),
        ),
    );
}

const patterns = Object.entries(noEffectYet).flatMap(([kind, rows]) =>
  Object.keys(rows).map((name) => ({ kind, name, pattern: patternOf(kind, name) })),
);

/** Many of the names are ordinary words, so only what is written as one of our names counts. */
function patternOf(kind: string, name: string): RegExp {
  const word = name.replace(/^.*\./, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (kind === "signal") return new RegExp(`\\b${word}\\b`);
  if (kind === "field") return new RegExp(`\`${word}:?\`|^\\s*[-*] \\**${word}\\**:`);
  if (kind === "setting") return new RegExp(`\`${word}(?::[^\`]*)?\`|^(?:# )?${word}:|--${word}\\b`);
  if (kind === "profile key") return new RegExp(`\`(?:x-cox: )?${word}\`|^ *${word}:`);
  return new RegExp(`\`${word}\`|"${word}"`);
}
