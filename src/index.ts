/**
 * The library: what `cox apply` is made of, for programs that execute replies themselves.
 *
 *   readReply → compile → judge → Changesets.apply
 *
 * Each name is here on purpose; whatever is not here may change in any version.
 */
export type { Change, Contents, Image, Sha256 } from "./change/change.ts";
export {
  type Compiled,
  compile,
  type EditorRequest,
  type Step,
  type Surroundings,
} from "./change/compile.ts";
export type { Disk, Seen } from "./change/disk.ts";
export type { TreePath } from "./change/path.ts";
export { type Confirmation, type Judgement, judge, type Rules } from "./change/policy.ts";
export { Changesets, type Opening, type Recovered } from "./changeset/changesets.ts";
export type { ChangesetSummary, Figures } from "./changeset/history.ts";
export { Peek } from "./changeset/peek.ts";
export type { About, OperationRecord, Outcome, Proposal, Watching } from "./changeset/proposal.ts";
export { readReply } from "./reply/read.ts";
export type { Edit, Operation, Replacement, Reply } from "./reply/reply.ts";
export { replyJsonSchema } from "./reply/reply-json-schema.ts";
export type { Problem } from "./std/problem.ts";
export type { Chance } from "./world/chance.ts";
export { openFiles } from "./world/choose-files.ts";
export type { Clock } from "./world/clock.ts";
export type { Files } from "./world/files.ts";
export { sha256 } from "./world/hash.ts";
export { nodeChance } from "./world/node-chance.ts";
export { nodeClock } from "./world/node-clock.ts";
