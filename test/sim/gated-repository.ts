/** The repository as one process sees it: the shared in-memory repository, with gates around its calls. */
import type * as port from "../../src/git/repository.ts";
import type { CommitId, TreeId } from "../../src/std/object-id.ts";
import { seeCheckout } from "./landing.ts";
import type { Gates } from "./simulated-ports.ts";
import type { World } from "./world.ts";

export class GatedRepository implements port.Repository {
  readonly root: string;
  readonly guarded: readonly string[];

  constructor(
    private readonly world: World,
    private readonly gates: Gates,
  ) {
    this.root = world.repository.root;
    this.guarded = world.repository.guarded;
  }

  head = () => this.gates.read("head", () => this.world.repository.head());
  treeOf = (commit: CommitId) => this.gates.read("treeOf", () => this.world.repository.treeOf(commit));
  isAncestor = (one: CommitId, of: CommitId) =>
    this.gates.read("isAncestor", () => this.world.repository.isAncestor(one, of));
  countCommits = (between: { readonly from: CommitId; readonly to: CommitId }) =>
    this.gates.read("countCommits", () => this.world.repository.countCommits(between));
  tip = (run: string) => this.gates.read("tip", () => this.world.repository.tip(run));
  contents = (tree: TreeId) => this.gates.read("contents", () => this.world.repository.contents(tree));
  changes = (from: TreeId, to: TreeId) =>
    this.gates.read("changes", () => this.world.repository.changes(from, to));
  planLanding = (tip: CommitId) =>
    this.gates.read("planLanding", () => this.world.repository.planLanding(tip));
  capture = (desk: port.Desk, from: TreeId) =>
    this.gates.read(`capture ${desk.name}`, () => this.world.repository.capture(desk, from));
  uncommitted = () => this.gates.read("uncommitted", () => this.world.repository.uncommitted());
  look = (options: Parameters<port.Repository["look"]>[0]) =>
    this.gates.read("look", () => this.world.repository.look(options));
  merge = (sides: Parameters<port.Repository["merge"]>[0]) =>
    this.gates.read("merge", () => this.world.repository.merge(sides));
  beginRun = (run: string, base: CommitId) =>
    this.gates.change("beginRun", () => this.world.repository.beginRun(run, base));
  pin = (run: string, name: string, tree: TreeId) =>
    this.gates.change(`pin ${name}`, () => this.world.repository.pin(run, name, tree));
  findGarbage = () => this.gates.read("findGarbage", () => this.world.repository.findGarbage());
  removeGarbage = (runs: readonly string[]) =>
    this.gates.change("removeGarbage", () => this.world.repository.removeGarbage(runs));

  openDesk(request: port.DeskRequest): Promise<port.Desk> {
    return this.gates.change(`openDesk ${request.name}`, () => {
      this.world.witness.opensDesk(request);
      return this.world.repository.openDesk(request);
    });
  }

  closeDesk(desk: Pick<port.Desk, "run" | "name">): Promise<void> {
    return this.gates.change(`closeDesk ${desk.name}`, () => {
      this.world.witness.closesDesk(desk.name);
      return this.world.repository.closeDesk(desk);
    });
  }

  commitTree(facts: port.CommitFacts): Promise<CommitId> {
    return this.gates.change("commit", () => {
      this.world.witness.commits(facts);
      return this.world.repository.commitTree(facts);
    });
  }

  advance(run: string, move: { from: CommitId; to: CommitId }): Promise<{ found?: CommitId }> {
    return this.gates.change("advance", async () => {
      const at = await this.world.repository.tip(run);
      this.world.witness.advances({ ...move, isMoving: at === move.from && at !== move.to });
      const answer = await this.world.repository.advance(run, move);
      const now = await this.world.repository.tip(run);
      if (now !== at && at !== move.from)
        this.world.violate("branch", `it was at ${at}, and was moved from ${move.from} to ${now}`);
      return answer;
    });
  }

  land(landing: port.LandingRequest): Promise<void> {
    return this.gates.change("land", async () => {
      const { to } = landing;
      if (!this.world.ledger.facts.landings.has(to)) this.world.violate("durable-first", `${to} is landed`);
      if (this.world.checkout) seeCheckout(this.world);
      await this.world.repository.land(landing);
    });
  }
}
