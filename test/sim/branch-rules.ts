/** Rules about audits and the branch, checked on the log: what is committed there, with which evidence, on top of what. */
import type { Event, RecordedEvidence, VerifyKey } from "../../src/kernel/event.ts";
import type { Book, Entry } from "./book.ts";
import type { Violate } from "./violation.ts";

export class BranchRules {
  /** Trees that passed, each with its commands. */
  readonly #evidence = new Set<string>();
  /** Every commit put on the branch, in order. */
  readonly commits: string[] = [];
  #wholeTree = "";
  #hasRecorded: string | undefined;

  constructor(
    private readonly book: Book,
    private readonly violate: Violate,
  ) {}

  hasEvidence(tree: string, commands: readonly string[]): boolean {
    return commands.length === 0 || this.#evidence.has([tree, ...commands].join("\n"));
  }

  /** Call this before the book sees the event. */
  see(event: Event): void {
    const { book, violate } = this;
    if (this.#hasRecorded !== undefined && event.event !== "task_complete")
      violate("whole-decision", `${this.#hasRecorded} has its commit and is not complete`);
    switch (event.event) {
      case "verification_passed":
        this.#verified(event.data);
        return;
      case "audit_passed":
        this.#passed(book.entry(event.data.task), event.data);
        return;
      case "integration_merged":
      case "integration_conflicted":
        if (event.data.onto !== book.tip) violate("branch", `${event.data.task} was merged onto no tip`);
        if (book.entry(event.data.task).passed === undefined)
          violate("passed", `${event.data.task} was merged and nobody passed it`);
        return;
      case "integration_prepared":
        this.#prepared(book.entry(event.data.task), event.data);
        return;
      case "task_commit_recorded":
        this.#recorded(book.entry(event.data.task), event.data);
        return;
      case "task_complete":
        if (this.#hasRecorded !== event.data.task)
          violate("branch", `${event.data.task} is complete and has no commit`);
        this.#hasRecorded = undefined;
        return;
      case "rollback_requested":
        this.#takesBack(event.data.tasks);
        return;
      case "rollback_prepared":
        if (event.data.parent !== (book.reverts.at(-1)?.commit ?? book.tip))
          violate("branch", `the revert of ${event.data.task} is on top of ${event.data.parent}`);
        return;
      case "task_rolled_back":
        this.#rolledBack(event.data);
        return;
      case "run_finished":
        this.#finished(event.data.outcome);
        return;
      default:
    }
  }

  #verified({ work, tree, evidence }: { work: VerifyKey; tree: string; evidence: RecordedEvidence }): void {
    const wanted =
      "task" in work && work.of !== "rollback"
        ? this.book.entry(work.task).facts.verify
        : (this.book.run?.settings.verify ?? []);
    const ran = evidence.commands.map(({ command }) => command);
    if (wanted.join("\n") !== ran.join("\n") || evidence.commands.some(({ exit }) => exit !== 0))
      this.violate("evidence", `${tree} passed by ${JSON.stringify(evidence.commands)}`);
    this.#evidence.add([tree, ...wanted].join("\n"));
    if (work.of === "run") this.#wholeTree = tree;
  }

  #passed(entry: Entry, { by, tree }: { by: string; tree: string }): void {
    const { facts, work, reply, author } = entry;
    if (work !== tree) this.violate("passed", `${facts.task} passed with ${tree}, its work is ${work}`);
    if (!this.hasEvidence(tree, facts.verify)) this.violate("evidence", `${facts.task} passed without any`);
    if (facts.auditor === undefined) return;
    const judges = facts.auditors ?? [facts.auditor];
    if (!judges.includes(by) || reply?.role !== "auditor" || reply.agent !== by)
      this.violate("passed", `${facts.task} was passed by ${by}, not by ${judges.join(" or ")}`);
    if (by === author) this.violate("own-judge", `${by} wrote ${facts.task} and passed it`);
  }

  #prepared(entry: Entry, { parent, tree }: { parent: string; tree: string }): void {
    const { book, violate } = this;
    const { facts, passed, merged } = entry;
    if (passed === undefined) violate("passed", `${facts.task} is put on the branch and nobody passed it`);
    if (!this.hasEvidence(tree, facts.verify)) violate("evidence", `${facts.task} with the tree ${tree}`);
    if (parent !== book.tip || merged?.onto !== parent || merged.tree !== tree)
      violate(
        "branch",
        `${facts.task} is prepared on ${parent} with ${tree}, merged ${JSON.stringify(merged)}`,
      );
    for (const id of facts.depends_on)
      if (!book.entry(id).isComplete)
        violate("dependencies-first", `${facts.task} is committed before ${id}`);
    const other = [...book.tasks.values()].find((one) => one !== entry && one.prepared);
    if (other) violate("branch", `${facts.task} is prepared while ${other.facts.task} is`);
  }

  #recorded(
    { facts, prepared, isComplete }: Entry,
    { commit_sha, parent }: { commit_sha: string; parent: string },
  ) {
    const { book, violate } = this;
    if (isComplete) violate("effect-once", `${facts.task} is committed twice`);
    if (prepared?.commit !== commit_sha || parent !== book.tip)
      violate("branch", `${facts.task} has the commit ${commit_sha}, prepared was ${prepared?.commit}`);
    this.commits.push(commit_sha);
    this.#hasRecorded = facts.task;
  }

  #takesBack(tasks: readonly string[]): void {
    for (const task of tasks) {
      if (!this.book.entry(task).isComplete)
        this.violate("effect-once", `${task} is taken back and not there`);
      for (const { facts, isComplete } of this.book.tasks.values())
        if (
          isComplete &&
          !facts.done &&
          facts.depends_on.some((id) => id === task) &&
          !tasks.includes(facts.task)
        )
          this.violate("dependencies-first", `${task} is taken back under ${facts.task}`);
    }
  }

  #rolledBack({ task, from_sha, to_sha }: { task: string; from_sha: string; to_sha: string }): void {
    const [first] = this.book.reverts;
    if (from_sha !== this.book.tip || first?.commit !== to_sha || first.task !== task)
      this.violate("branch", `${task} was taken back with ${to_sha}, prepared was ${first?.commit}`);
    this.commits.push(to_sha);
  }

  #finished(outcome: string): void {
    const { book, violate } = this;
    const all = [...book.tasks.values()];
    if (
      book.atWork.length > 0 ||
      all.some(({ reply, prepared }) => reply || prepared) ||
      book.questions.size > 0
    )
      violate("nobody-left", "the run is finished, and something is under way");
    if (outcome !== "done") return;
    const commands = book.run?.settings.verify ?? [];
    const isWhole = book.tip === book.run?.base || commands.length === 0 || this.#isWholeVerified(commands);
    if (!all.every(({ isComplete }) => isComplete)) violate("ends", "the run is done, and some task is not");
    if (!isWhole) violate("evidence", "the run is done, and the whole was not verified");
  }

  #isWholeVerified(commands: readonly string[]): boolean {
    return this.#wholeTree === this.book.tipTree || this.hasEvidence(this.book.tipTree, commands);
  }
}
