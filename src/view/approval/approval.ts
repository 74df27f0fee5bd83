/** What a person approves with a plan: what is done, by whom, with which commands, from which commit. */
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { named, shortSha } from "../status/task-words.ts";
import { problemDocument } from "../text/document.ts";
import type { Paint } from "../text/paint.ts";
import { padName, widthOf } from "../text/width.ts";
import type { planWarnings } from "./plan-check.ts";

export interface ApprovalFacts {
  /** The name of the plan's file. */
  readonly name: string;
  /** Settings typed for this run; they override plan and configuration. */
  readonly settings: readonly { readonly setting: string; readonly value: unknown; readonly text: string }[];
  readonly title: string;
  readonly base: string;
  readonly notes: readonly string[];
  /** As it would be written; null means no limit. */
  readonly budget: string | null;
  /** How many agents work at once. */
  readonly slots: number;
  /** Changes that agents do not see, because they work from the commit. */
  readonly uncommitted: readonly string[];
  readonly warnings: ReturnType<typeof planWarnings>;
  /** Open tasks only. */
  readonly tasks: readonly {
    readonly task: string;
    readonly title: string;
    readonly agent: string | null;
    readonly auditor: string | null;
    readonly depends_on: readonly string[];
  }[];
  readonly agents: readonly {
    readonly agent: string;
    readonly role: string;
    readonly driver: string;
    /** Names of the variables it is given. */
    readonly environment: readonly string[];
  }[];
  readonly commands: readonly {
    readonly what: string;
    readonly agent: string | null;
    readonly command: string | readonly string[];
    /** This person has not approved it here before. */
    readonly is_new: boolean;
  }[];
}

/**
 * Nobody reads the two-hundredth; `--json` has them all. Commands are all shown, because approval runs every one of them.
 */
const tasksMax = 40;

export interface ApprovalLook {
  readonly paint: Paint;
  /** The warnings with their source lines, as `cox check` shows them. */
  readonly warned?: string;
}

export function approvalText(facts: ApprovalFacts, { paint, warned = "" }: ApprovalLook): string {
  const { title, name, base, tasks, agents, commands, notes, budget, slots, uncommitted, settings } = facts;
  const shown = tasks.slice(0, tasksMax);
  const width = Math.min(40, Math.max(0, ...shown.map(({ task }) => widthOf(oneLine(task, 200)))));
  const left = tasks.length - shown.length;
  const blocks = [
    [
      paint("bold", oneLine(title || name, 200)),
      [
        `starts at ${shortSha(base)}`,
        `at most ${slots} at once`,
        budget === null ? "no budget" : `budget ${oneLine(budget, 200)}`,
      ].join(" · "),
    ],
    settings.length === 0
      ? []
      : [
          paint("bold", `${counted(settings.length, "setting")} from the command line`),
          ...settings.map(({ setting, text }) => `  ${oneLine(setting, 60)}: ${oneLine(text, 1000)}`),
        ],
    [
      paint("bold", counted(tasks.length, "task")),
      ...shown.map((task) => taskRow(task, width, paint)),
      ...(left > 0 ? [`  … ${counted(left, "more task")}`] : []),
    ],
    [paint("bold", counted(agents.length, "agent")), ...agents.map(agentRow)],
    [paint("bold", counted(commands.length, "command")), ...commands.map((one) => commandRow(one, paint))],
    notes.map((note) => paint("dim", oneLine(note, 200))),
    uncommittedWords({ base, uncommitted }),
  ];
  const shownBlocks = blocks.filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`);
  return `${shownBlocks.join("")}${warned}`;
}

const uncommittedMax = 5;

/** Empty if everything is committed. */
export function uncommittedWords({
  base,
  uncommitted,
}: Pick<ApprovalFacts, "base" | "uncommitted">): string[] {
  if (uncommitted.length === 0) return [];
  const are = uncommitted.length === 1 ? "is" : "are";
  const see = uncommitted.length === 1 ? "it" : "them";
  return [
    `${counted(uncommitted.length, "file")} ${are} not committed: agents work from commit ${shortSha(base)} and do not see ${see}: ${named(uncommitted, uncommittedMax)}`,
  ];
}

type Row<Name extends "tasks" | "agents" | "commands"> = ApprovalFacts[Name][number];

function taskRow({ task, title, agent, auditor, depends_on }: Row<"tasks">, width: number, paint: Paint) {
  const who = [agent ?? "nobody", ...(auditor === null ? [] : [`judged by ${auditor}`])].map((name) =>
    oneLine(name, 60),
  );
  const after = depends_on.length === 0 ? "" : `, after ${named(depends_on)}`;
  return `  ${padName(oneLine(task, 200), width)}  ${oneLine(title, 120)}  ${paint("dim", `${who.join(", ")}${after}`)}`;
}

function agentRow({ agent, role, driver, environment }: Row<"agents">): string {
  const sees = environment.length === 0 ? "" : `, sees ${named(environment, 10)}`;
  return `  ${oneLine(agent, 60)}: ${oneLine(role, 40)}, driver ${oneLine(driver, 40)}${sees}`;
}

function commandRow({ what, agent, command, is_new }: Row<"commands">, paint: Paint): string {
  const spelled = typeof command === "string" ? command : command.join(" ");
  const whose = agent === null ? what : `${what} ${oneLine(agent, 60)}`;
  return `  ${whose.padEnd(14)}  ${oneLine(spelled, 1000)}${is_new ? paint("yellow", "  new") : ""}`;
}

export function approvalDocument(facts: ApprovalFacts, problem: Problem | undefined) {
  const { name, title, base, tasks, agents, commands, notes, budget, slots, uncommitted, warnings } = facts;
  const { settings } = facts;
  return {
    ok: problem === undefined,
    approved: problem === undefined,
    plan_file: name,
    settings: settings.map(({ setting, value }) => ({ setting, value })),
    title,
    base,
    tasks,
    agents,
    commands,
    budget,
    slots,
    uncommitted,
    notes,
    warnings,
    errors: problem ? [problemDocument(problem)] : [],
  };
}
