/**
 * Watches the world: every act of a process passes through here before it happens, and is checked against what is
 * durable and what happened before. It trusts nothing that a coordinator says.
 */
import type { TurnRequest } from "../../src/driver/driver.ts";
import type { CommitFacts, DeskRequest } from "../../src/git/repository.ts";
import type { Event, TurnId } from "../../src/kernel/event.ts";
import type { RecordedTask } from "../../src/kernel/run-started.ts";
import type { CommitId } from "../../src/std/object-id.ts";
import type { VerifyRequest } from "../../src/verify/verifier.ts";
import { sha256 } from "../../src/world/files/hash.ts";
import { deskOf } from "./agents.ts";
import type { World } from "./world.ts";

interface Changed {
  readonly path: string;
  readonly isDelete: boolean;
  /** The hash of the present content, or of the deleted content. */
  readonly sha256: string;
}

/** Enough time for a sync and whatever else is picked before it. A silent agent is ended after three times as long. */
const unwantedMsMax = 20_000;

export class Witness {
  readonly #started = new Set<string>();
  readonly #bases = new Map<string, CommitId>();
  /** Replies that were applied, by desk. */
  readonly #applied = new Map<string, Set<string>>();
  /** `tree command` for each command that a verifier ran successfully. */
  readonly #passed = new Set<string>();
  /** When each agent was first seen to be unwanted. */
  readonly #unwanted = new Map<number, number>();
  /** By turn: how many forbidden writes outside the desks there had been when it began, and whether it made one itself. */
  readonly #strays = new Map<string, { readonly before: number; isItself: boolean }>();
  #strayed = 0;
  /** Every commit that the branch moved to or past, in order. */
  readonly moved: CommitId[] = [];

  constructor(private readonly world: World) {}

  baseOf(desk: string): CommitId | undefined {
    return this.#bases.get(desk);
  }

  starts({ turn, task, role, agent, resume }: TurnRequest): void {
    const { world } = this;
    const facts = world.plan.tasks.find((one) => one.task === task);
    if (agent !== (role === "developer" ? facts?.agent : facts?.auditor))
      world.coverage.deed("somebody stepped in");
    if (resume !== undefined) world.coverage.deed("conversation gone on with");
    // An auditor's conversation belongs to one round, which is part of the turn's name.
    const round = role === "auditor" ? turn.replace(/\d+$/, "") : "";
    if (resume !== undefined && !resume.startsWith(`${task} ${role} ${agent} ${round}`))
      world.violate("conversation", `${turn} of ${agent} as ${role} goes on with ${resume}`);
    if (!world.ledger.facts.turns.has(turn))
      world.violate("durable-first", `the agent of ${turn} is started`);
    if (this.#started.has(turn)) world.violate("one-start", `the agent of ${turn} is started again`);
    this.#started.add(turn);
    this.#strays.set(turn, { before: this.#strayed, isItself: false });
    for (const { request, pid } of world.agents.live.values())
      if (request.task === task)
        world.violate("one-agent", `${turn} starts while ${request.turn} (${pid}) lives`);
  }

  /** An agent wrote outside its desk, and nothing prevented it. */
  strays(turn: string, where: "settings" | "checkout"): void {
    const { on_outside_change } = this.world.plan.settings;
    if (where === "checkout" && on_outside_change !== "fail") return;
    this.#strayed += 1;
    const entry = this.#strays.get(turn);
    if (entry) entry.isItself = true;
  }

  /** Checks strays against what the log says about the end of each turn. */
  ends(event: Event): void {
    if (event.event !== "agent_complete" && event.event !== "agent_crashed") return;
    const { turn } = event.data;
    const entry = this.#strays.get(turn);
    if (event.event === "agent_complete" && entry?.isItself)
      this.world.violate("stays", `${turn} wrote outside its desk, and its reply is read`);
    const isRefused = event.event === "agent_crashed" && event.data.code === "WS_FOREIGN_WRITE";
    if (isRefused && entry?.before === this.#strayed)
      this.world.violate("stays", `${turn} is refused, and nobody wrote outside`);
  }

  lives(): void {
    const { world } = this;
    const slots = world.plan.settings.active_developers;
    if (world.agents.live.size > slots) world.violate("slots", `${world.agents.live.size} agents live`);
  }

  opensDesk({ name, base, tree, keep }: DeskRequest): void {
    const { world } = this;
    const { turns, trees } = world.ledger.facts;
    const isVerify = name.startsWith("verify.");
    const isKnown = isVerify
      ? trees.has(tree)
      : [...turns].some((turn) => turn.startsWith(`${name.split(".")[0]}.`));
    if (!isKnown) world.violate("durable-first", `the desk ${name} is opened`);
    for (const { desk, request } of world.agents.live.values())
      if (desk.name === name && !keep)
        world.violate("one-agent", `the desk of ${request.turn} is made anew under it`);
    this.#bases.set(name, base);
    if (!keep) this.#applied.delete(name);
  }

  closesDesk(name: string): void {
    for (const { desk, request } of this.world.agents.live.values())
      if (desk.name === name)
        this.world.violate("one-agent", `the desk of ${request.turn} is closed under it`);
    this.#applied.delete(name);
  }

  /** True if the reply was applied before. */
  carriesOut(folder: string, id: string): boolean {
    const { world } = this;
    const isDurable = [...world.ledger.facts.replies].some((turn) => turn.replaceAll(".", "-") === id);
    if (!isDurable) world.violate("durable-first", `the reply ${id} is carried out`);
    for (const { desk, request } of world.agents.live.values())
      if (desk.name === deskOf(folder).name)
        world.violate("one-agent", `the reply ${id} is carried out at the desk of ${request.turn}`);
    return this.#applied.get(deskOf(folder).name)?.has(id) ?? false;
  }

  carriedOut(folder: string, id: string): void {
    const { name } = deskOf(folder);
    const applied = this.#applied.get(name) ?? new Set();
    this.#applied.set(name, applied.add(id));
  }

  verifies({ tree, folder }: VerifyRequest): void {
    const { world } = this;
    const { run, name } = deskOf(folder);
    if (!world.ledger.facts.trees.has(tree)) world.violate("durable-first", `${tree} is verified`);
    if (!name.startsWith("verify.")) world.violate("clean", `${tree} is verified at the desk ${name}`);
    // In memory this is computed at once; only the answer comes later.
    void world.repository.capture({ run, name, folder, isKept: true }, tree as never).then((found) => {
      if (found.tree !== tree || found.ignored.length > 0)
        world.violate("clean", `${tree} is verified, and ${found.tree} stands at the desk`);
    });
  }

  ran({ tree, command, exit }: { tree: string; command: string; exit: number }): void {
    if (exit === 0) this.#passed.add(`${tree} ${command}`);
  }

  commits({ tree, parents, author }: CommitFacts): void {
    const { world } = this;
    const { merged, takenBack } = world.ledger.facts;
    const isRevert = author.name.startsWith("coxswain");
    const isKnown = isRevert ? takenBack.size > 0 : merged.has(`${parents[0]} ${tree}`);
    if (!isKnown) world.violate("durable-first", `a commit of ${tree} is made`);
  }

  /** Called just before the branch is moved. */
  advances({ from, to, isMoving }: { from: CommitId; to: CommitId; isMoving: boolean }): void {
    const { world } = this;
    if (!world.ledger.facts.prepared.has(to)) world.violate("durable-first", `the branch is moved to ${to}`);
    if (!isMoving) return;
    for (const commit of this.#between(from, to)) {
      if (this.moved.includes(commit)) world.violate("effect-once", `${commit} is put on the branch again`);
      this.moved.push(commit);
      this.#mayBeThere(commit);
    }
  }

  #between(from: CommitId, to: CommitId): CommitId[] {
    const commits: CommitId[] = [];
    let at: CommitId | undefined = to;
    while (at !== undefined && at !== from) {
      commits.unshift(at);
      [at] = this.world.repository.factsOf(at).parents;
    }
    return commits;
  }

  #mayBeThere(commit: CommitId): void {
    const { world } = this;
    const { book } = world.ledger;
    const entry = [...book.tasks.values()].find(({ prepared }) => prepared?.commit === commit);
    const isRevert = book.reverts.some((one) => one.commit === commit);
    if (!entry && !isRevert) world.violate("branch", `${commit} is on the branch and not in the log`);
    if (!entry) return;
    const { tree } = world.repository.factsOf(commit);
    for (const command of entry.facts.verify)
      if (!this.#passed.has(`${tree} ${command}`))
        world.violate("evidence", `${entry.facts.task} is on the branch; ${command} never passed on ${tree}`);
    for (const change of this.#changesOf(commit)) {
      if (!entry.files.includes(change.path))
        world.violate("own-work", `${entry.facts.task} did not touch ${change.path}, its commit does`);
      this.#isAllowed(change, entry.facts);
    }
  }

  #changesOf(commit: CommitId): Changed[] {
    const { repository } = this.world;
    const [parent] = repository.factsOf(commit).parents;
    if (parent === undefined) return [];
    const [before, after] = [repository.filesOf(parent), repository.filesOf(commit)];
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
      const [old, now] = [before.get(path), after.get(path)];
      if (old === now || (old && now && sha256(old.bytes) === sha256(now.bytes))) return [];
      return [{ path, isDelete: now === undefined, sha256: sha256((now ?? old)?.bytes ?? "") }];
    });
  }

  #isAllowed({ path, isDelete, sha256 }: Changed, { writes, deletes, task }: RecordedTask): void {
    const { world } = this;
    const { confirm_sensitive, confirm_deletes } = world.plan.settings;
    if (path !== "AGENTS.md" && !isDelete) return;
    const isDeclared = isDelete
      ? confirm_deletes === "always-allow" || (confirm_deletes === "declared" && deletes.includes(path))
      : confirm_sensitive === "declared" && writes.includes(path);
    if (!isDeclared && !world.ledger.people.allowed.has(`${sha256} ${path}`))
      world.violate("allowed", `${task} changed ${path}, and nobody allowed it`);
  }

  /** An unwanted agent must be told to end soon, at the latest when it is next seen working. */
  everybodyIsWanted(): void {
    const { world } = this;
    for (const { pid, request, owner, isCancelled } of world.agents.live.values()) {
      const turn = world.ledger.shadow.turns.get(request.turn as TurnId);
      if (owner !== world.writer || isCancelled || turn?.unwanted === undefined) continue;
      if (!this.#unwanted.has(pid)) this.#unwanted.set(pid, world.scheduler.now);
      this.isEnded(pid, request.turn);
    }
  }

  /** Checks that the agent was ended soon after it became unwanted. */
  isEnded(pid: number, turn: string): void {
    const { scheduler } = this.world;
    const since = this.#unwanted.get(pid) ?? scheduler.now;
    if (scheduler.now > since + unwantedMsMax)
      this.world.violate("ended", `${turn} went on for ${scheduler.now - since} ms`);
  }

  /** Compares the branch with the log: it may have nothing beyond the log except a commit that is prepared. */
  async branchIsLog(): Promise<void> {
    const { world } = this;
    const { branch, book } = world.ledger;
    const said = branch.commits;
    const tip = await world.repository.tip(world.plan.run);
    const next = [...book.tasks.values()].flatMap(({ prepared }) => prepared?.commit ?? []);
    const last = book.reverts.at(-1)?.commit;
    const found = tip === undefined ? [] : this.#between(world.plan.base, tip);
    const more = found.slice(said.length);
    const isPrefix = said.every((commit, at) => commit === found[at]);
    const isNext = more.length === 0 || next.includes(more.at(-1) ?? "") || more.at(-1) === last;
    if (!isPrefix || !isNext)
      world.violate("branch", `it holds ${found.join(" ")}, the log says ${said.join(" ")}`);
  }
}
