/** Creates docs/escapes.md from the table of attempts and the results. What a machine cannot try stays as it was. */
import { sandboxes } from "../../src/world/sandbox/confine.ts";
import type { Attempt } from "./attempt.ts";
import { allAttempts, attempts } from "./attempts.ts";
import type { User } from "./expected.ts";
import type { Results } from "./play.ts";
import { noSandbox, type Player } from "./play-as.ts";

const users: readonly User[] = ["ordinary", "root"];

export const columns: readonly Player[] = [...sandboxes.map(({ name }) => name), noSandbox].flatMap(
  (sandbox) => users.map((user) => ({ sandbox, user })),
);

/** By the attempt's name, one cell for each column. */
export type Cells = ReadonlyMap<string, readonly string[]>;

const words = {
  held: "held",
  worked: "**works**",
  "held, control worked": "held, [control](#what-is-held-without-a-sandbox-too) **works**",
  notTried: "–",
};

export function cellsIn(page: string): Cells {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  return new Map(
    rows.map((line) => {
      const [name = "", ...cells] = line.slice(2, -2).split(" | ");
      return [name, cells];
    }),
  );
}

/** The cells with the results of one column filled in. */
export function foundCells(cells: Cells, { sandbox, user }: Player, results: Results): Cells {
  const at = columns.findIndex((column) => column.sandbox === sandbox && column.user === user);
  const found = ({ name }: Attempt, before: string) => {
    const result = results[name];
    return typeof result === "string" ? words[result] : before;
  };
  return new Map([
    ...columns.flatMap((column) => {
      const played = cells.get(titleOf(column));
      return played ? [[titleOf(column), played] as const] : [];
    }),
    ...allAttempts.map((attempt) => {
      const row = columns.map((_, column) => cells.get(attempt.name)?.[column] ?? words.notTried);
      return [attempt.name, row.with(at, found(attempt, row[at] ?? words.notTried))] as const;
    }),
  ]);
}

/** Records on which system a column was played. The old text stays if nothing else has changed. */
export function playedOn(cells: Cells, before: Cells, column: Player, system: string): Cells {
  const at = columns.findIndex(({ sandbox, user }) => column.sandbox === sandbox && column.user === user);
  const title = titleOf(column);
  const isSame = allAttempts.every(({ name }) => cells.get(name)?.[at] === before.get(name)?.[at]);
  return isSame && before.has(title) ? cells : new Map([...cells, [title, [system]]]);
}

export function pageOf(cells: Cells): string {
  const sections = Object.entries(attempts).map(([title, some]) => `## ${title}\n\n${tableOf(some, cells)}`);
  return [opening, ...sections, notHeld(), withoutSandbox(), notTried(cells), systems(cells)].join("\n");
}

const opening = `# Attempts to escape

Try them on your machine, in a clone of this repository:

    npm run escapes

Each attempt is made for real: by an agent at a desk of a real repository, confined as in a run, once as an ordinary user and once as root. Whether it worked is checked from outside. The last two columns are the control: the same attempt without a sandbox, where it must work, or it would show nothing. \`npm test\` tries all of them; \`npm run escapes -- --write\` makes this page.

The agent uses the driver \`command\`. For [what agent programs obey](#what-agent-programs-obey-played-by-their-own-drivers), it uses the driver of that program, with the home that this driver opens, and a shell instead of the program.

A run uses \`unshare\` where it works, \`unshare, without layers\` where the kernel does not let an ordinary user mount an overlay, and \`bwrap\` where only that program may make namespaces. **held**: the attempt failed. **works**: the agent got through. –: not tried. Below are the reasons for [what a sandbox does not hold](#what-is-not-held), [what was not tried](#what-was-not-tried), and [on which systems](#where-it-was-played) this was played.
`;

function titleOf({ sandbox, user }: Player): string {
  return `${sandbox === noSandbox ? "no sandbox" : sandbox}: ${user}`;
}

function tableOf(some: readonly Attempt[], cells: Cells): string {
  const titles = columns.map(titleOf);
  const rows = some.map(({ name }) => [name, ...(cells.get(name) ?? [])]);
  const lines = [["attempt", ...titles], ["---", ...titles.map(() => "---")], ...rows];
  return lines.map((line) => `| ${line.join(" | ")} |\n`).join("");
}

function notHeld(): string {
  const items = allAttempts.flatMap(({ name, notHeld }) => {
    if (!notHeld) return [];
    const where = notHeld.by === "any" ? "" : notHeld.by === "bwrap" ? " (`bwrap`)" : " (without layers)";
    return [`- ${name}${where}: ${notHeld.reason}.\n`];
  });
  return `## What is not held\n\n${items.join("")}`;
}

function withoutSandbox(): string {
  const why = ({ withoutSandbox: { ordinary, root } = {} }: Attempt) =>
    ordinary !== undefined && root !== undefined ? ordinary : undefined;
  const items = allAttempts.flatMap((attempt) => {
    const reason = why(attempt);
    if (reason === undefined) return [];
    const { control } = attempt;
    return [`- ${attempt.name}: ${reason}.${control ? ` The control: ${control.words}.` : ""}\n`];
  });
  return `## What is held without a sandbox too\n\nIf an ordinary user is held and root is not, only root is allowed to do it at all.\n\n${items.join("")}`;
}

/** Lists rows without any result or without a control. It goes by the page, not by what this machine allows. */
function notTried(cells: Cells): string {
  const isNotTried = (cell: string | undefined) => cell === words.notTried;
  const items = allAttempts.flatMap(({ name, needs = [] }) => {
    const row = cells.get(name) ?? [];
    if (row.every(isNotTried)) return [`- ${name}: the machine had no ${needs.join(" or ")}.\n`];
    const control = columns.flatMap(({ sandbox }, at) => (sandbox === noSandbox ? [row[at]] : []));
    return control.every(isNotTried)
      ? [
          `- ${name}: not tried without a sandbox, because it would harm the machine, or nobody is allowed to.\n`,
        ]
      : [];
  });
  return `## What was not tried\n\n${items.join("")}`;
}

function systems(cells: Cells): string {
  const rows = columns.map(titleOf).map((title) => `| ${title} | ${cells.get(title)?.[0] ?? "–"} |\n`);
  return `## Where it was played\n\n| column | system |\n| --- | --- |\n${rows.join("")}`;
}
