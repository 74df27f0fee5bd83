/**
 * The test that shows what each offered thing changes: every setting, field, profile key, agent key, signal and property of a
 * reply has a row, or stands in `src/std/no-effect-yet.ts`. `test/effects.test.ts` walks the real tables and holds this one.
 *
 * A title is as it is written in its file, with `…` for what is filled in when the test runs. A third word names one row of a
 * test that has many.
 */
export type Shown = readonly [file: string, title: string, row?: string];

const run: Shown = [
  "test/e2e/effects.e2e.test.ts",
  "a run obeys the settings of its plan, passes on the content of replies, and records an auditor's findings",
];
const said: Shown = [
  "test/e2e/effects.e2e.test.ts",
  "every signal of a developer is acted on: finished, a part, blocked, a question, a checkpoint",
];
const profileTimeout: Shown = [
  "test/e2e/no-effect-yet.e2e.test.ts",
  "the timeout of a profile ends a turn of its agents, and cox agents shows it and what the profile is for",
];
const turnTimeout: Shown = [
  "src/kernel/rules/turn/turns.test.ts",
  "a turn may take as long as its task says, else as its agent's profile says, else as all turns",
];
const rounds: Shown = [
  "src/kernel/rules/evidence/audits.test.ts",
  "rounds of every kind count together, and a task may have its own limit",
];
const attached: Shown = [
  "src/runtime/start/collect-attachments.test.ts",
  "a task has its own workflow, the plan's, and the documents that it and the overview refer to",
];
const order: Shown = [
  "src/kernel/rules/turn/selection.test.ts",
  "the first task to be dispatched: $title",
  "then the plan's priority",
];
const assigned = ["src/config/crew/resolve-crew.test.ts", "a task gets …"] as const;
const resolved: Shown = [
  "src/config/crew/resolve-crew.test.ts",
  "an agent has what the configuration says, and what its profile says of the rest",
];
const listed: Shown = [
  "test/e2e/agents.e2e.test.ts",
  "agents and programs are listed, with what each can do, and no key is shown",
];
const overApi: Shown = [
  "test/e2e/run-model.e2e.test.ts",
  "a plan is done over the API of …, and the key is stored nowhere",
];
const applied: Shown = [
  "src/change/compile.test.ts",
  "operations on one path take effect one after the other",
];
const applyReport: Shown = [
  "test/e2e/apply.e2e.test.ts",
  "a good reply is shown, applied, verified and summed up",
];
const refusedWork: Shown = [
  "test/e2e/run-failing-agents.e2e.test.ts",
  "work that an auditor refuses is corrected with the auditor's findings, and judged again",
];
const auditInWords: Shown = ["src/reply/read-audit.test.ts", "the text … is an audit in words"];
const noteToUser: Shown = [
  "src/reply/note/put-to-user.test.ts",
  "a note put to the user shows all its fields",
];
const noteStatus: Shown = [
  "src/reply/note/put-to-user.test.ts",
  "a note whose status is … is put to the user",
];
const noteKept: Shown = [
  "src/runtime/acts/collect.test.ts",
  "a resolved note does not hold its task up, and is kept with the work",
];

export const shownBy = {
  setting: {
    title: [
      "test/e2e/look-at-run.e2e.test.ts",
      "shows on one screen what needs a person, what waits, what is done and what failed",
    ],
    "main-workflow": attached,
    "active-developers": ["src/kernel/rules/turn/selection.test.ts", "every slot is given away, and no more"],
    verify: [
      "test/e2e/run-failing-agents.e2e.test.ts",
      "when every attempt fails its verification the user is asked, and a script gets exit code 3",
    ],
    setup: [
      "src/verify/process-verifier.test.ts",
      "the files of a setup are used again for the same digest, and the setup is not run",
    ],
    "also-writable": [
      "test/e2e/run-guarded-home.e2e.test.ts",
      "also-writable makes a place permanently writable, and is shown before a yes",
    ],
    budget: [
      "test/e2e/run-failing-agents.e2e.test.ts",
      "a used-up budget of turns ends cox run with exit code 4, and a higher budget lets the run continue",
    ],
    audit: [...assigned, "no auditor where the plan wants none"],
    approve: [
      "test/e2e/effects.e2e.test.ts",
      "`approve: auto` starts a plan whose commands were approved before, and `approve: ask` does not",
    ],
    schedule: ["src/kernel/rules/turn/selection.test.ts", "levels are a barrier where the plan says so"],
    land: [
      "test/e2e/land.e2e.test.ts",
      "`land: auto` lands a clean fast-forward at the end of the run, and otherwise says why not",
    ],
    "on-question": [
      "src/kernel/rules/questions.test.ts",
      "a question holds all tasks where the plan says so, until it is answered",
    ],
    "confirm-deletes": [
      "test/e2e/steer.e2e.test.ts",
      "an undeclared delete waits for a person, and is done only if allowed",
    ],
    "confirm-sensitive": [
      "src/change/policy/policy.test.ts",
      "if sensitive changes are never confirmed, they are refused without asking a person",
    ],
    "on-outside-change": [
      "test/e2e/run-unconfined.e2e.test.ts",
      "fails the turn with `on-outside-change: fail`",
    ],
    "verify-base": [
      "test/e2e/run-broken-base.e2e.test.ts",
      "a plan that repairs its failing base is done, and `verify-base: false` skips the check of the base",
    ],
    "reply-attempts": [
      "src/kernel/rules/turn/turns.test.ts",
      "a rejected reply is asked for again with what was wrong, a limited number of times",
    ],
    "turn-attempts": [
      "src/kernel/rules/turn/turns.test.ts",
      "after as many as are allowed, a … fails the task and asks a person",
    ],
    "audit-attempts": rounds,
    "turn-timeout": turnTimeout,
    "stall-timeout": [
      "test/e2e/run-failing-agents.e2e.test.ts",
      "every failure of a turn is named, and the next turn does the task",
    ],
    "verify-timeout": [
      "test/e2e/run-verify.e2e.test.ts",
      "a verify command over verify-timeout is ended with all it started, and reported as such",
    ],
    "checkpoint-interval": run,
    agent: run,
    auditor: run,
    priority: order,
    workflow: attached,
    timeout: turnTimeout,
    attempts: rounds,
  },
  field: {
    Id: [
      "src/plan/check/check.test.ts",
      "…: the plan check reports this and nothing else",
      "an id that is another's slug",
    ],
    Agent: [...assigned, "the task's own names"],
    Auditor: [...assigned, "the task's own names"],
    "Depends-On": [
      "src/kernel/rules/turn/selection.test.ts",
      "no task begins before everything it depends on is done",
    ],
    Priority: order,
    Writes: [
      "test/e2e/run-claims.e2e.test.ts",
      "an agent that follows a refusal of files outside its claim restores them, and keeps the rest of its work",
    ],
    Deletes: [
      "src/runtime/acts/rules.test.ts",
      "a task's changes are judged by the plan's rules for deletes and sensitive files, and by the task's own claims",
    ],
    Shares: ["src/kernel/rules/turn/selection.test.ts", "two tasks that share a resource never run together"],
    Workflow: attached,
    "Main-Workflow": attached,
    Verify: run,
    Success: run,
    Timeout: turnTimeout,
    Attempts: rounds,
    Budget: [
      "src/kernel/rules/run/budget.test.ts",
      "a task that spent its own budget is given up and asked about; a retry grants it once more",
    ],
    Status: [
      "src/plan/read/parse.test.ts",
      "a task's recorded status is a field at its top, never in its text, and no mistake",
    ],
  },
  "profile key": {
    name: [
      "src/config/crew/profile.test.ts",
      "of two profiles with one name in a folder, the first is read and the other is named",
    ],
    description: profileTimeout,
    model: resolved,
    role: resolved,
    driver: resolved,
    timeout: profileTimeout,
  },
  "agent key": {
    profile: resolved,
    role: resolved,
    driver: listed,
    model: overApi,
    works: [
      "test/e2e/propose-edits.e2e.test.ts",
      "the coordinator carries out the edits that it declined, several of one file together",
    ],
    account: [
      "test/e2e/run-away-agents.e2e.test.ts",
      "agents that share the account of an agent at its limit rest with it",
    ],
    command: resolved,
    args: [
      "src/driver/programs/client-driver.test.ts",
      "has the user's arguments after ours, but as an auditor before those that forbid writing",
    ],
    acp: [
      "src/driver/acp/acp-quirks.test.ts",
      "each ACP agent that audits is kept from writing in its own way",
    ],
    script: ["src/driver/scripted/scripted.test.ts", "plays the calls in order, and repeats the last one"],
    api: overApi,
    url: overApi,
    key: ["test/e2e/run-model.e2e.test.ts", "a missing API key is reported with the name of its variable"],
    env: [
      "src/driver/drivers.test.ts",
      "PROC-16 PROC-17 an agent sees the clean environment, what is passed on by name, and its turn",
    ],
  },
  "configuration block": {
    agents: resolved,
    roles: ["src/config/crew/resolve-crew.test.ts", "in a fallback order …"],
    prices: ["src/runtime/acts/spent-of.test.ts", "the configuration's price wins over the built-in one"],
  },
  signal: {
    "READY FOR AUDIT": said,
    "TASK INCOMPLETE": said,
    "INFRA BLOCKED": said,
    "SEEKING DIVINE CLARIFICATION": said,
    Checkpoint: said,
    "AUDIT PASSED": auditInWords,
    "AUDIT FAILED": auditInWords,
    "AUDIT BLOCKED": auditInWords,
  },
  "reply property": {
    file_operations: applied,
    "file_operations[].operation": applied,
    "file_operations[].file_path": applied,
    "file_operations[].description": applyReport,
    "file_operations[].base_sha256": [
      "src/change/compile.test.ts",
      "the hash of the file as read, or as left by an earlier operation, is accepted",
    ],
    "file_operations[].verify_content": [
      "test/e2e/effects.e2e.test.ts",
      "verify_content: false leaves the preview out, and the file is read back all the same",
    ],
    "file_operations[].content": applied,
    "file_operations[].edits": applied,
    "file_operations[].edits[].old_string": applied,
    "file_operations[].edits[].new_string": applied,
    "file_operations[].edits[].replace_all": [
      "src/change/edit/replace.test.ts",
      "replace_all replaces every match from the left",
    ],
    "file_operations[].patch": [
      "src/change/edit/patch.test.ts",
      "applying the diff of two texts turns the one into the other exactly",
    ],
    specialist_summary: run,
    notes: noteToUser,
    "notes[].description": noteToUser,
    "notes[].context": noteToUser,
    "notes[].category": noteToUser,
    "notes[].status": noteStatus,
    "notes[].resolution": noteKept,
    "notes[].escalation_reason": noteToUser,
    signal: said,
    question: said,
    "question.text": said,
    "question.options": said,
    "question.why": said,
    outputs: run,
    "outputs[].name": run,
    "outputs[].content": run,
  },
  "auditor property": {
    verdict: refusedWork,
    summary: run,
    evidence: run,
    "evidence[].criterion": run,
    "evidence[].evidence": run,
    findings: refusedWork,
    "findings[].severity": run,
    "findings[].file": run,
    "findings[].line": run,
    "findings[].problem": refusedWork,
    "findings[].fix": run,
    notes: noteToUser,
    "notes[].description": noteToUser,
    "notes[].context": noteToUser,
    "notes[].category": noteToUser,
    "notes[].status": noteStatus,
    "notes[].resolution": noteKept,
    "notes[].escalation_reason": noteToUser,
  },
} as const satisfies Record<string, Readonly<Record<string, Shown>>>;
