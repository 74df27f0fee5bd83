/**
 * The library: the parts of `cox apply`, for programs that apply replies themselves.
 *
 * readReply → compile → judge → Changesets.apply
 *
 * Each name is exported on purpose; anything else may change in any version.
 */
export type { Change, Contents, Image, Sha256 } from "./change/change.ts";
export {
  type CompileContext,
  type Compiled,
  type CompiledStep,
  compile,
  type EditorRequest,
} from "./change/compile.ts";
export type { Disk, DiskEntry } from "./change/disk.ts";
export type { TreePath } from "./change/path.ts";
export { type Confirmation, type Judgement, judgeChanges, type PolicyRules } from "./change/policy/policy.ts";
export { Changesets, type OpenChangesetsOptions, type Recovered } from "./changeset/changesets.ts";
export type { ChangesetFigures, ChangesetSummary } from "./changeset/history.ts";
export { Peek } from "./changeset/peek.ts";
export type { About, ApplyObserver, ApplyOutcome, OperationRecord, Proposal } from "./changeset/proposal.ts";
export { readReply } from "./reply/read.ts";
export type { Edit, Operation, Replacement, Reply } from "./reply/reply.ts";
export { replyJsonSchema } from "./reply/reply-json-schema.ts";
export type { Problem } from "./std/problem.ts";
export type { Chance } from "./world/chance.ts";
export { nodeChance } from "./world/chance.ts";
export { openFiles } from "./world/files/choose-files.ts";
export type { Files } from "./world/files/files.ts";
export { sha256 } from "./world/files/hash.ts";
export type { Clock } from "./world/time/clock.ts";
export { nodeClock } from "./world/time/clock.ts";
