/**
 * Names that a newcomer can guess: one meaning for each exported name, nouns for types, rooms in large folders, one row
 * per word.
 */
import { type Allowance, type Finding, isTest, published, type TextFile } from "./rule.ts";

const exported = /^export (?:abstract )?(?:async )?(?:interface|type|class|function|const) (\w+)/gm;

/** The path of an allowance is the name. */
export function namesMeanOneThing(files: readonly TextFile[], allowed: readonly Allowance[] = []): Finding[] {
  const excused = new Set(allowed.map(({ path }) => path));
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of published(files))
    for (const [, name = ""] of text.matchAll(exported))
      homes.set(name, new Set([...(homes.get(name) ?? []), path]));
  return [...homes]
    .filter(([name, paths]) => paths.size > 1 && !excused.has(name))
    .map(
      ([name, paths]) => `${name} is exported by ${[...paths].join(" and ")}: each needs a name of its own`,
    );
}

const declared = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
const retired = /(?:Wish|Wishes|Means|Told|Way|Heard|Tale|Looks|Sight)$/;
/** Words that had to be translated, and what stands in their place. */
const retiredWords: Readonly<Record<string, string>> = {
  wish: "options or request",
  wishes: "options or requests",
  wished: "requested",
  told: "finding or report",
  untold: "what is left out",
  heard: "signal, message or reply",
  tale: "state of the turn",
  sight: "snapshot",
  lookout: "watcher",
  standing: "availability or state",
  standings: "availability or states",
  enclosure: "attachment",
  enclosures: "attachments",
  enclosed: "attached",
  furnish: "prepare",
  furnishing: "prepare",
  bridge: "context",
  hindrance: "blocker",
  unheld: "unconfined",
  untaken: "free",
};
const gerund = /^[A-Z][a-z]+ing$/;
/** Words that everybody reads as nouns. */
const nouns = new Set([
  "Finding",
  "Setting",
  "Landing",
  "Listing",
  "Encoding",
  "Ranking",
  "Spending",
  "Staging",
]);

export function typesAreNouns(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(?:src|test|bench)\/.*\.ts$/.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(declared)].flatMap(([, name = ""]) =>
        retired.test(name) || (gerund.test(name) && !nouns.has(name))
          ? [`${path}: ${name} does not say what it is: write options, request, input, context, result, …`]
          : [],
      ),
    );
}

/** Exported names, names of types, and names of files. */
export function namesHaveNoRetiredWords(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(?:src|test|bench)\/.*\.ts$/.test(path))
    .flatMap(({ path, text }) => {
      const names = [...text.matchAll(exported), ...text.matchAll(declared)].map(([, name = ""]) => name);
      const file = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
      return [...new Set([file, ...names])].flatMap((name) =>
        wordsOf(name).flatMap((word) => {
          const instead = Object.hasOwn(retiredWords, word) ? retiredWords[word] : undefined;
          return instead === undefined ? [] : [`${path}: ${name} says "${word}": write ${instead}`];
        }),
      );
    });
}

function wordsOf(name: string): string[] {
  return name.split(/[-_]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}

const filesMax = 25;

export function foldersHaveRooms(files: readonly TextFile[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { path } of published(files)) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > filesMax)
    .map(([folder, count]) => `${folder} holds ${count} files, more than ${filesMax}: give it rooms`);
}

export function wordsAreExplainedOnce(files: readonly TextFile[]): Finding[] {
  const words = explainedWords(files);
  return [...new Set(words.filter((word, at) => words.indexOf(word) !== at))].map(
    (word) => `GLOSSARY.md explains "${word}" twice: a word has one meaning`,
  );
}

/** The folders are the map: a newcomer knows each word of their names, or finds it in the glossary. */
export function folderNamesAreKnown(files: readonly TextFile[]): Finding[] {
  const known = new Set([...explainedWords(files).flatMap((word) => word.split(" ")), ...everydayWords]);
  const folders = new Set(published(files).map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  return [...folders].flatMap((folder) =>
    (folder.split("/").at(-1) ?? "")
      .split("-")
      .filter((word) => word !== "src" && !known.has(word) && !known.has(word.replace(/s$/, "")))
      .map((word) => `${folder}: "${word}" is not in GLOSSARY.md: explain it, or use an everyday word`),
  );
}

/** Words of the trade, and of every day, that need no explanation. */
const everydayWords = `
  answer approval begin branch check cli command completion config cost demo edit end file find folder git http init live log
  look loop mcp model network output processes program progress prompt read record resource rule runtime script scripted
  search server setting setup start status std stdio steer table terminal text time tool trust verify view world
`
  .trim()
  .split(/\s+/);

/** In lower case, without the heads of the tables. */
function explainedWords(files: readonly TextFile[]): string[] {
  const page = files.find(({ path }) => path === "GLOSSARY.md")?.text ?? "";
  return [...page.replace(/^\|.*\|\n\| --- .*$/gm, "").matchAll(/^\| ([^|]+) \|/gm)]
    .flatMap(([, cell = ""]) => cell.split(","))
    .map((word) => word.trim().toLowerCase());
}
