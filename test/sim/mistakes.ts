/**
 * Mistakes that a careful person could make in the kernel and the loop. Each is sown into a copy of the program and
 * caught by the invariant named with it. An invariant that has never failed proves nothing.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: mistakes are pieces of source text
import type { Invariant } from "./violation.ts";

export interface Mistake {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly seenBy: Invariant;
}

export interface Edit {
  /** Below `src/`. */
  readonly file: string;
  /** Must occur there exactly once. */
  readonly find: string;
  readonly put: string;
}

export const mistakes: readonly Mistake[] = [
  {
    name: "new tasks begin however many finished ones wait",
    edits: [
      { file: "kernel/rules/turn/selection.ts", find: "{ areReadyLeftOut: isBackedUp(state) }", put: "{}" },
    ],
    seenBy: "finished-first",
  },
  {
    name: "a task that was done before the run is started when its dependency is done",
    edits: [
      {
        file: "kernel/rules/tasks.ts",
        find: 'if (dependent.unmet === 0 && dependent.phase.name === "waiting")',
        put: "if (dependent.unmet === 0)",
      },
    ],
    seenBy: "effect-once",
  },
  {
    name: "work that an auditor should judge passes by its verify commands alone",
    edits: [
      {
        file: "kernel/rules/evidence/audits.ts",
        find: "  if (facts.auditor !== undefined) return [];\n",
        put: "",
      },
    ],
    seenBy: "passed",
  },
  {
    name: "work is merged before anybody judged it",
    edits: [
      {
        file: "kernel/rules/evidence/audits.ts",
        find: 'enter(state, task, { name: "auditing", step: needsVerification(state, task, tree) ? "verify" : "due" });',
        put: 'state.queue.push({ of: "task", task: data.task });\n  enter(state, task, { name: "integrating", step: { name: "merge" } });',
      },
    ],
    seenBy: "passed",
  },
  {
    name: "merged work is not verified again",
    edits: [
      {
        file: "kernel/rules/branch/integration.ts",
        find: 'needsVerification(state, task, tree) ? "verify" : "commit"',
        put: '"commit"',
      },
      {
        file: "kernel/rules/branch/integration.ts",
        find: 'if (needsVerification(state, task, tree)) return { refused: "no-evidence", task: id, tree };',
        put: "",
      },
    ],
    seenBy: "evidence",
  },
  {
    name: "merged work continues without evidence, and only the last check notices",
    edits: [
      {
        file: "kernel/rules/branch/integration.ts",
        find: 'needsVerification(state, task, tree) ? "verify" : "commit"',
        put: '"commit"',
      },
    ],
    seenBy: "ends",
  },
  {
    name: "a failed verification counts as a pass",
    edits: [
      {
        file: "runtime/acts/verify-tree.ts",
        find: "evidence.passed ? {} : { failure: failureWords(evidence) }",
        put: "{}",
      },
      {
        file: "kernel/rules/evidence/verification.ts",
        find: "command.failure ?? unproven(commandsOf(state, work), evidence)",
        put: "command.failure",
      },
    ],
    seenBy: "evidence",
  },
  {
    name: "verify commands run at the agent's own desk",
    edits: [
      {
        file: "runtime/acts/verify-tree.ts",
        find: "openDesk({ run, name, base,",
        put: 'openDesk({ run, name: "task" in effect.work ? effect.work.task : name, base,',
      },
    ],
    seenBy: "clean",
  },
  {
    name: "a task is merged with the base it began on",
    edits: [
      { file: "runtime/acts/integrate.ts", find: "    base === onto\n", put: "    base !== undefined\n" },
    ],
    seenBy: "own-work",
  },
  {
    name: "dependents start after the audit, before the commit",
    edits: [
      {
        file: "kernel/rules/evidence/audits.ts",
        find: 'import { anotherRound, enter, mutableTask, taskOf } from "../tasks.ts";',
        put: 'import { anotherRound, enter, freeDependents, mutableTask, taskOf } from "../tasks.ts";',
      },
      {
        file: "kernel/rules/evidence/audits.ts",
        find: '  state.queue.push({ of: "task", task: id });',
        put: '  freeDependents(state, task);\n  state.queue.push({ of: "task", task: id });',
      },
    ],
    seenBy: "dependencies-first",
  },
  {
    name: "an agent that works on top of a task that is taken back continues",
    edits: [
      {
        file: "kernel/rules/branch/rollback.ts",
        find: "return [...events, ...below.flatMap((one) => aborted(state, one, wanted.task))];",
        put: "return below.length >= 0 ? events : aborted(state, taskOf(state, wanted.task), wanted.task);",
      },
    ],
    seenBy: "dependencies-first",
  },
  {
    name: "a task is taken back although others build on it",
    edits: [
      {
        file: "kernel/rules/branch/rollback.ts",
        find: "if (complete.length > 0 && !cascade) {",
        put: "if (complete.length > 99) {",
      },
      {
        file: "kernel/rules/branch/rollback.ts",
        find: "const tasks = [...complete, task]",
        put: "const tasks = [task]",
      },
    ],
    seenBy: "dependencies-first",
  },
  {
    name: "agents of a dead process are left running",
    edits: [
      {
        file: "runtime/start/take-over.ts",
        find: '  await processes.endMarked({ name: "COX_RUN", value: runOf(state) }, known);\n',
        put: "",
      },
    ],
    seenBy: "one-agent",
  },
  {
    name: "a new process does not declare turns lost",
    edits: [
      {
        file: "kernel/rules/run/run.ts",
        find: "return [...opened, ...lostTurns(state)];",
        put: "return opened;",
      },
    ],
    seenBy: "one-start",
  },
  {
    name: "slots are not counted",
    edits: [{ file: "kernel/rules/turn/selection.ts", find: " - state.turns.size;", put: ";" }],
    seenBy: "slots",
  },
  {
    name: "effects do not wait until the events that require them are durable",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "      await this.durable();\n      this.#throwFailure();\n      this.#start(decision.effects, options);\n",
        put: "      this.#start(decision.effects, options);\n      await this.durable();\n      this.#throwFailure();\n",
      },
    ],
    seenBy: "durable-first",
  },
  {
    name: "events are reported before they are durable",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "    await this.#journal.durable();\n    const seen",
        put: "    void this.#journal.durable().catch(() => {});\n    const seen",
      },
    ],
    seenBy: "told-durable",
  },
  {
    name: "events that came while the disk was busy are reported too early",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "this.#unseen.filter(({ seq }) => seq <= last)",
        put: "this.#unseen.filter(({ seq }) => seq <= last + 99)",
      },
      {
        file: "runtime/loop/coordinator.ts",
        find: "this.#unseen.filter(({ seq }) => seq > last)",
        put: "this.#unseen.filter(({ seq }) => seq > last + 99)",
      },
    ],
    seenBy: "told-durable",
  },
  {
    name: "a sync is not waited for",
    edits: [
      {
        file: "durable/group-commit.ts",
        find: "        await this.ports.sync();\n",
        put: "        void this.ports.sync().catch(() => {});\n        await undefined;\n",
      },
    ],
    seenBy: "told-durable",
  },
  {
    name: "the events of a decision are appended one by one",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "this.#journal.append(admitted, moment);",
        put: "admitted.flatMap((event) => this.#journal.append([event], moment));",
      },
    ],
    seenBy: "whole-decision",
  },
  {
    name: "the tail of a batch is dropped",
    edits: [
      {
        file: "test/doubles/memory-journal.ts",
        find: "json: JSON.stringify(records) };",
        put: "json: JSON.stringify(records.length > 3 ? records.slice(0, -1) : records) };",
      },
    ],
    seenBy: "kept",
  },
  {
    name: "a second writer is let in",
    edits: [
      {
        file: "test/doubles/memory-journal.ts",
        find: 'if (this.#writer) throw new LockHeld("this run", "a writer in memory");',
        put: "",
      },
    ],
    seenBy: "one-writer",
  },
  {
    name: "the branch is moved without checking where it is",
    edits: [
      {
        file: "test/doubles/memory-repository.ts",
        find: "    if (found !== from && found !== to) return { found };\n",
        put: "",
      },
    ],
    seenBy: "branch",
  },
  {
    name: "a branch that somebody moved is taken for ours",
    edits: [
      { file: "runtime/acts/integrate.ts", find: ", ...(found === undefined ? {} : { found })", put: "" },
    ],
    seenBy: "branch",
  },
  {
    name: "a lost turn counts against the agent",
    edits: [
      {
        file: "kernel/rules/agent/consequence.ts",
        find: "  [turnLost, noFault],\n",
        put: "",
      },
    ],
    seenBy: "limits",
  },
  {
    name: "a retry does not reset the counters",
    edits: [
      {
        file: "kernel/rules/questions.ts",
        find: "    roundsFailed: 0,\n  };\n  task.budgetsGranted",
        put: "    roundsFailed: task.counts.roundsFailed,\n  };\n  task.budgetsGranted",
      },
    ],
    seenBy: "limits",
  },
  {
    name: "the budget is not checked",
    edits: [{ file: "kernel/decide.ts", find: "if (!over) return", put: "if (over !== null) return" }],
    seenBy: "budget",
  },
  {
    name: "no budget is set aside for agents at work",
    edits: [
      {
        file: "kernel/rules/run/budget.ts",
        find: "spent.tokens + underWay * spent.turnTokensMax",
        put: "spent.tokens",
      },
      {
        file: "kernel/rules/run/budget.ts",
        find: "spent.usdMicros + underWay * spent.turnUsdMicrosMax",
        put: "spent.usdMicros",
      },
    ],
    seenBy: "budget",
  },
  {
    name: "a question does not hold its task",
    edits: [
      {
        file: "kernel/rules/questions.ts",
        find: 'enter(state, task, { name: "held", question, resumes: next });',
        put: 'enter(state, task, next === "audit" ? { name: "auditing", step: "due" } : { name: "working", step: "due" });',
      },
    ],
    seenBy: "held",
  },
  {
    name: "a question that should hold all tasks holds one",
    edits: [
      { file: "kernel/decide.ts", find: 'on_question === "hold-all"', put: "on_question === undefined" },
    ],
    seenBy: "held",
  },
  {
    name: "a paused run dispatches agents",
    edits: [
      {
        file: "kernel/decide.ts",
        find: "if (!isRunning(state)) return undefined;",
        put: 'if (state.status.name !== "running" && state.status.name !== "paused") return undefined;',
      },
      {
        file: "kernel/rules/turn/dispatch.ts",
        find: 'if (state.status.name !== "running")',
        put: 'if (state.status.name === "stopped")',
      },
    ],
    seenBy: "held",
  },
  {
    name: "a confirmation allows a path, whatever its content",
    edits: [
      {
        file: "kernel/state.ts",
        find: "return `${sha256} ${path}`;",
        put: "return `${sha256?.length} ${path}`;",
      },
    ],
    seenBy: "allowed",
  },
  {
    name: "a change that needs a person is captured without asking",
    edits: [
      {
        file: "runtime/acts/collect.ts",
        find: "captured.confirmations.filter((one) => !isAllowed(one))",
        put: "captured.confirmations.filter(() => false)",
      },
    ],
    seenBy: "allowed",
  },
  {
    name: "two tasks that declare one file work together",
    edits: [
      {
        file: "kernel/rules/turn/selection.ts",
        find: "if (writes.length === 0 && shares.length === 0) return undefined;",
        put: "if (writes.length >= 0) return undefined;",
      },
    ],
    seenBy: "claims",
  },
  {
    name: "a request that is sent twice counts twice",
    edits: [
      {
        file: "kernel/admit.ts",
        find: "if (request !== undefined && state.requests.has(request))",
        put: 'if (request === "")',
      },
    ],
    seenBy: "request-once",
  },
  {
    name: "a reply is kept only after it was recorded",
    edits: [
      {
        file: "runtime/acts/turn.ts",
        find: "  await archive.keep(`turns/${turn}/reply.txt`, reply);\n",
        put: "",
      },
      {
        file: "runtime/acts/turn.ts",
        find: "  endTurn(context, turn, ended, spentOf({ ms, usage: outcome.usage, prices }));\n}\n",
        put: "  endTurn(context, turn, ended, spentOf({ ms, usage: outcome.usage, prices }));\n  await ports.archive.keep(`turns/${turn.turn}/reply.txt`, outcome.reply);\n}\n",
      },
    ],
    seenBy: "unthrown",
  },
  {
    name: "an agent whose turn is no longer wanted is not ended",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "if (act) act.cancel();",
        put: "if (act) return;",
      },
    ],
    seenBy: "ended",
  },
  {
    name: "an agent that is silent for ever is waited for",
    edits: [{ file: "runtime/loop/supervision.ts", find: "      this.onLate(this.exceeded);\n", put: "" }],
    seenBy: "ends",
  },
  {
    name: "a resumed run forgets who waits for the branch",
    edits: [
      {
        file: "kernel/rules/run/run.ts",
        find: "  if (budget) state.budget =",
        put: "  state.queue = [];\n  if (budget) state.budget =",
      },
    ],
    seenBy: "nobody-left",
  },
  {
    name: "the whole is not verified at the end",
    edits: [
      {
        file: "kernel/rules/run/finish.ts",
        find: "if (state.tip === state.run?.base) return false;",
        put: "if (state.tip !== undefined) return false;",
      },
    ],
    seenBy: "evidence",
  },
  {
    name: "a run is finished while a reply waits to be read",
    edits: [
      {
        file: "kernel/rules/run/finish.ts",
        find: "turns.size + replies.size + queue.length",
        put: "turns.size + 0 * replies.size + 0 * queue.length",
      },
    ],
    seenBy: "nobody-left",
  },
  {
    name: "a snapshot forgets which requests were handled",
    edits: [
      { file: "kernel/snapshot.ts", find: "requests: new Set(flat.requests),", put: "requests: new Set()," },
    ],
    seenBy: "replay",
  },
  {
    name: "an event changes more of the state than its data says",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "    for (const one of recorded) evolve(this.#state, one);\n    this.#unseen",
        put: "    for (const one of recorded) evolve(this.#state, one);\n    this.#state.sessions += recorded.length > 2 ? 1 : 0;\n    this.#unseen",
      },
    ],
    seenBy: "replay",
  },
  {
    name: "a task stays in the index of due tasks",
    edits: [
      {
        file: "kernel/rules/tasks.ts",
        find: "for (const set of [index.dueWork, index.dueAudits, index.verifying, index.reserving]) set.delete(id);",
        put: "for (const set of [index.dueWork, index.verifying, index.reserving]) set.delete(id);",
      },
    ],
    seenBy: "index",
  },
  {
    name: "evidence for one tree counts for every tree",
    edits: [
      {
        file: "kernel/state.ts",
        find: "return JSON.stringify([tree, ...commands]);",
        put: "return JSON.stringify([tree.length, ...commands]);",
      },
    ],
    seenBy: "evidence",
  },
  {
    name: "a task is dispatched again before its agent has ended",
    edits: [
      {
        file: "kernel/rules/run/run.ts",
        find: "import { countLevel,",
        put: "import { enter, countLevel,",
      },
      {
        file: "kernel/rules/run/run.ts",
        find: 'for (const turn of state.turns.values()) turn.unwanted ??= "the run was stopped";',
        put: 'for (const turn of state.turns.values()) {\n    turn.unwanted ??= "the run was stopped";\n    const task = state.tasks.get(turn.task);\n    if (task) enter(state, task, { name: "working", step: "due" });\n  }',
      },
      {
        file: "kernel/rules/turn/dispatch.ts",
        find: "if (!isDue || isAtWork(state, facts.task))",
        put: "if (!isDue)",
      },
      { file: "kernel/rules/turn/dispatch.ts", find: 'import { isAtWork } from "./turns.ts";\n', put: "" },
      {
        file: "kernel/rules/turn/selection.ts",
        find: "task.unmet > 0 || isAtWork(state, task.facts.task)",
        put: "task.unmet > 0",
      },
    ],
    seenBy: "one-agent",
  },
  {
    name: "an effect that is already running is started again",
    edits: [
      { file: "runtime/loop/coordinator.ts", find: "this.#acts.has(effect.key) ||\n        ", put: "" },
      {
        file: "runtime/loop/coordinator.ts",
        find: "else if (!this.#isTaken(effect)) this.#begin(effect);",
        put: "else this.#begin(effect);",
      },
    ],
    seenBy: "one-start",
  },
  {
    name: "a writer that lost its lock continues to write",
    edits: [
      { file: "test/doubles/memory-journal.ts", find: "    this.#group.fail(new LockLost());\n", put: "" },
      { file: "test/doubles/memory-journal.ts", find: "if (!this.#isWriter) throw new LockLost();", put: "" },
    ],
    seenBy: "one-writer",
  },
  {
    name: "a reply is read again",
    edits: [
      {
        file: "kernel/rules/turn/turns.ts",
        find: "  state.replies.delete(id);\n  return turn;",
        put: "  return turn;",
      },
      {
        file: "kernel/rules/evidence/audits.ts",
        find: "if (!turn || !isAwaited(taskOf(state, turn.task), turn))",
        put: "if (!turn)",
      },
      {
        file: "kernel/decide.ts",
        find: "if (!isDue || phase.turn !== turn) return [];",
        put: "if (isDue === null) return [];",
      },
    ],
    seenBy: "read-once",
  },
  {
    name: "a reply that was read is not removed",
    edits: [
      {
        file: "kernel/rules/turn/turns.ts",
        find: "  state.replies.delete(id);\n  return turn;",
        put: "  return turn;",
      },
    ],
    seenBy: "unthrown",
  },
  {
    name: "a run ends although something came up meanwhile",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "    if (order || effects.length > 0 || isResting) return undefined;\n",
        put: "",
      },
    ],
    seenBy: "unthrown",
  },
  {
    name: "the run waits for a turn that never began",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "    if (act) act.cancel();\n    else\n",
        put: "    act?.cancel();\n    if (turn === undefined)\n",
      },
    ],
    seenBy: "ends",
  },
  {
    name: "an error of the journal passes through the loop",
    edits: [
      {
        file: "runtime/loop/act.ts",
        find: 'context.submitOrFail({ command: "effect-failed"',
        put: 'context.submit({ command: "effect-failed"',
      },
    ],
    seenBy: "unthrown",
  },
  {
    name: "a write outside the desk is reported, but the turn is accepted",
    edits: [
      {
        file: "runtime/loop/turn-watch.ts",
        find: 'if (failing.length === 0 || ended.how === "cancelled") return ended;',
        put: "if (failing.length >= 0) return ended;",
      },
    ],
    seenBy: "stays",
  },
  {
    name: "a desk that is being worked at is watched like an idle one",
    edits: [
      {
        file: "runtime/loop/turn-watch.ts",
        find: "task.desk && isLeft(task) && !isDeveloped(state, task)",
        put: "task.desk",
      },
      {
        file: "runtime/loop/turn-watch.ts",
        find: "isUndisturbed(idle.get(name), now)",
        put: "idle.has(name)",
      },
    ],
    seenBy: "stays",
  },
  {
    name: "a rate limit is tried again at once",
    edits: [
      {
        file: "kernel/rules/agent/consequence.ts",
        find: "{ ...noFault, agent: { restsMs: { first: 30_000, most: 15 * 60_000 } }, holdsAccount: true }",
        put: "noFault",
      },
    ],
    seenBy: "account",
  },
  {
    name: "a rest is over before its time",
    edits: [
      {
        file: "kernel/rules/agent/availability.ts",
        find: "if (rest && rest.until <= now) return { agent };",
        put: "if (rest && now >= 0) return { agent };",
      },
    ],
    seenBy: "away",
  },
  {
    name: "the rest of an account is over before its time",
    edits: [
      {
        file: "kernel/rules/agent/availability.ts",
        find: "    if (rest && rest.until <= now) return { agent: rest.agent, account };",
        put: "    if (rest && now >= 0) return { agent: rest.agent, account };",
      },
    ],
    seenBy: "account",
  },
  {
    name: "a rate limit applies to the agent that met it, and not to its account",
    edits: [
      {
        file: "kernel/rules/agent/account.ts",
        find: "run?.agents?.find(({ name }) => name === agent)?.account ?? agent",
        put: "run === undefined ? agent : agent",
      },
    ],
    seenBy: "account",
  },
  {
    name: "after a rate limit as many agents of the account work at once as before",
    edits: [
      {
        file: "kernel/rules/agent/account.ts",
        find: "Math.floor(inFlight(state, account) / 2)",
        put: "inFlight(state, account)",
      },
    ],
    seenBy: "account",
  },
  {
    name: "a new process forgets that the account rests",
    edits: [
      {
        file: "kernel/rules/agent/availability.ts",
        find: "  onAccountSession(state);",
        put: "  state.accounts.clear();",
      },
    ],
    seenBy: "account",
  },
  {
    name: "an agent that is not signed in gets the next task",
    edits: [
      {
        file: "kernel/rules/agent/agent-for.ts",
        find: "if (!availability || (!availability.rest && !availability.out)) return agent;",
        put: "if (!availability?.rest) return agent;",
      },
    ],
    seenBy: "away",
  },
  {
    name: "a rate limit counts against the task",
    edits: [
      {
        file: "kernel/rules/agent/consequence.ts",
        find: "{ ...noFault, agent: { restsMs: { first: 30_000",
        put: "{ ...noFault, counts: true, agent: { restsMs: { first: 30_000",
      },
    ],
    seenBy: "limits",
  },
  {
    name: "an agent that took over judges its own work",
    edits: [
      { file: "kernel/rules/agent/agent-for.ts", find: ".filter((agent) => agent !== author)", put: "" },
    ],
    seenBy: "own-judge",
  },
  {
    name: "a person is asked although another agent is left",
    edits: [
      {
        file: "kernel/rules/agent/agent-for.ts",
        find: "eligible(state, task, role).every((agent) => isOut(state, agent))",
        put: "isOut(state, eligible(state, task, role)[0] ?? task.facts.agent)",
      },
    ],
    seenBy: "last-resort",
  },
  {
    name: "no person is asked when no agent is left",
    edits: [
      {
        file: "kernel/decide.ts",
        find: "  if (taskWithoutAgent) return",
        put: "  if (taskWithoutAgent && state.turns.size > 99) return",
      },
    ],
    seenBy: "unthrown",
  },
  {
    name: "a process leaves the run while an agent only rests",
    edits: [
      {
        file: "runtime/loop/coordinator.ts",
        find: "effects.length > 0 || isResting)",
        put: "effects.length > 0)",
      },
    ],
    seenBy: "unthrown",
  },
  {
    name: "an agent that takes over resumes the conversation of another",
    edits: [
      {
        file: "kernel/rules/agent/conversation.ts",
        find: "  if (last?.agent !== agent) return undefined;\n",
        put: "  if (!last) return undefined;\n",
      },
    ],
    seenBy: "conversation",
  },
  {
    name: "an auditor resumes its conversation from the round before",
    edits: [
      {
        file: "kernel/rules/agent/conversation.ts",
        find: 'role === "developer" || last.attempt === task.attempt ? last.session : undefined',
        put: "last.session",
      },
    ],
    seenBy: "conversation",
  },
  {
    name: "a lost conversation is resumed",
    edits: [{ file: "kernel/rules/agent/conversation.ts", find: " || code === sessionLostCode", put: "" }],
    seenBy: "conversation",
  },
  {
    name: "a note beside finished work is dropped",
    edits: [
      {
        file: "runtime/acts/collect.ts",
        find: "  if (asked && missing.length === 0) return { ...asked, ...deskState };\n",
        put: "",
      },
    ],
    seenBy: "left-open",
  },
  {
    name: "a note beside a pass is dropped",
    edits: [{ file: "runtime/acts/collect.ts", find: "  if (asked) return asked;\n", put: "" }],
    seenBy: "left-open",
  },
  {
    name: "delegations are not put to the user",
    edits: [
      {
        file: "runtime/acts/question-for-user.ts",
        find: "    default:\n      return { notes, delegations };",
        put: "    default:\n      return { notes };",
      },
    ],
    seenBy: "left-open",
  },
  {
    name: "a signal of another role counts as ready",
    edits: [
      {
        file: "reply/signal/role-signals.ts",
        find: '      "DELEGATION REQUEST",\n',
        put: '      "DELEGATION REQUEST",\n      "AGENT COMPLETE",\n',
      },
    ],
    seenBy: "left-open",
  },
  {
    name: "an answer settles every note, also those that nobody asked about",
    edits: [
      {
        file: "runtime/acts/question-for-user.ts",
        find: "(key) => settled.includes(settledKey(key))",
        put: "() => settled.length > 0",
      },
    ],
    seenBy: "left-open",
  },
  {
    name: "a lost conversation counts against the task",
    edits: [
      {
        file: "kernel/rules/agent/consequence.ts",
        find: "code === sessionLostCode ? resumes === undefined : consequenceOf(code).counts",
        put: "code === sessionLostCode || consequenceOf(code).counts",
      },
    ],
    seenBy: "limits",
  },
  {
    name: "the timeout of a profile is ignored",
    edits: [
      {
        file: "kernel/rules/turn/dispatch.ts",
        find: "facts.timeout_ms ?? timeoutOf(state.run, agent) ?? settings.turn_timeout_ms",
        put: "facts.timeout_ms ?? settings.turn_timeout_ms",
      },
    ],
    seenBy: "time-limit",
  },
  {
    name: "a delete that a person is asked about is not logged",
    edits: [
      {
        file: "kernel/rules/turn/reply-record.ts",
        find: "return [...requested, withRecorded, ...rest];",
        put: "return [...requested.slice(1), withRecorded, ...rest];",
      },
    ],
    seenBy: "recorded",
  },
  {
    name: "what an agent changed at its desk itself is not recorded",
    edits: [
      {
        file: "runtime/acts/changeset-record.ts",
        find: "const all = [...this.#operations, ...this.#atDesk()];",
        put: "const all = this.#atDesk().length < 0 ? [] : this.#operations;",
      },
    ],
    seenBy: "recorded",
  },
];
