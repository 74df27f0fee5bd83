/** The text of a first `.coxswain/config.yaml`: every setting with its default as a comment, and a crew to fill in. */
import { hasEffect } from "../../std/no-effect-yet.ts";
import type { ProjectCommands } from "../trust/project-commands.ts";

export function initConfigText({ verify, setup }: ProjectCommands): string {
  const lines = [
    "# What cox does in this repository. Every setting is here; a line without # is in force.",
    "# A plan's front matter says the same things for one plan, and the command line for one run.",
    "",
    "# What must succeed before anything is committed.",
    verify
      ? `verify: ${verify.command}  # from ${verify.from}`
      : "# verify: npm test   <- no test command was found",
    "# What a fresh checkout needs before that.",
    setup ? `setup: ${setup.command}  # from ${setup.from}` : "# setup: npm ci",
    "",
    ...crew,
    ...groups.flatMap(([title, rows]) => ["", `# ${title}`, ...rows.filter(isOffered).map(rowText)]),
  ];
  return `${lines.join("\n")}\n`;
}

const crew = [
  "# Who works. A name the plan uses; profile is a file of .coxswain/agents, .claude/agents or one of ours",
  "# (developer, auditor). driver: claude-code, codex, gemini or opencode, with model: and args: if you like; acp, with",
  "# the command of any agent that speaks it; model, for a model without a program; or command, for any program that",
  "# reads its prompt on stdin and prints its reply.",
  "# agents:",
  "#   dev:",
  "#     profile: developer",
  "#     driver: claude-code",
  "#   tester:",
  "#     profile: auditor",
  '#     command: ["node", "tools/auditor.mjs"]',
  "#     env: [MY_API_KEY]          # names of variables it may see",
  "# roles:",
  "#   auditor: [tester]            # who plays a role, in order of preference",
];

type Row = readonly [setting: string, says: string];

const groups: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  [
    "How it goes",
    [
      ["active-developers: 3", "agents that work at the same time"],
      ["schedule: flow", "flow: as soon as dependencies are done; levels: level by level"],
      ["approve: ask", "ask | auto: whether you see the plan before it runs"],
      ["land: ask", "ask | auto | never: how the run's branch comes into yours"],
      ["verify-base: true", "whether verify runs on the commit that a run begins at, before any agent"],
      ["on-question: hold-affected", "hold-affected | hold-all: what waits while you are asked"],
      ["coordinator-mode: on-conflict", "on-conflict | always | never: reviews after a level"],
      ["tick: false", "whether done tasks are ticked in the plan itself"],
    ],
  ],
  [
    "What is asked first",
    [
      ["confirm-deletes: declared", "ask | declared | always-allow | never"],
      ["confirm-sensitive: declared", "ask | declared | never"],
      [
        "also-writable: ~/.cache/ms-playwright",
        "places outside the desk that agents and verify commands may change for good",
      ],
      ["on-outside-change: warn", "warn | fail; where agents work without a sandbox"],
    ],
  ],
  [
    "How often something is tried",
    [
      ["reply-attempts: 3", "a reply that cannot be read"],
      ["turn-attempts: 3", "a turn that fails"],
      ["audit-attempts: 3", "work that an audit refuses"],
      ["remediation-attempts: 10", "fixing the environment"],
      ["loop-threshold: 3", "the same failure before it counts as a loop"],
      ["delegations-per-agent: 2", "questions to other agents at once"],
    ],
  ],
  [
    "How long, and how much",
    [
      ["turn-timeout: 15 m", "one turn of an agent"],
      ["stall-timeout: 5 m", "silence of an agent"],
      ["verify-timeout: 30 m", "one verify command, or one of setup"],
      ["checkpoint-interval: 5 m", "between checkpoints of a turn"],
      ["delegation-timeout: 10 m", "an answer of another agent"],
      ["budget: 5 USD, 40 turns", "of a run: USD, tokens, turns, time; no limit unless set"],
      ["usage-command: my-usage", "prints the percentage of your allowance that is left"],
      ["usage-threshold: 10 %", "below it no turn is begun"],
    ],
  ],
  [
    "For tasks that say nothing of their own",
    [
      ["agent: dev", "who does it"],
      ["auditor: tester", "who judges it"],
      ["audit: required", "required: by an auditor; none: commands, or nothing, will do"],
      ["priority: normal", "critical | high | normal | low"],
      ["timeout: 15 m", "instead of turn-timeout"],
      ["attempts: 3", "instead of audit-attempts"],
      ["workflow: spec-first-integration", "how it is worked"],
      ["main-workflow: tdd-incremental-orchestration", "how the whole is worked"],
      ["failure: stop", "what to do when it fails"],
      ["escalate-to: me", "whom to ask when it fails"],
    ],
  ],
];

/** Settings without effect so far are listed above for later, and not shown. */
function isOffered([setting]: Row): boolean {
  return hasEffect("setting", setting.slice(0, setting.indexOf(":")));
}

const width = 34;

function rowText([setting, says]: Row): string {
  return `# ${setting.padEnd(width)} # ${says}`;
}
