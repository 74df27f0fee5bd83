/** What the server tells an agent about itself, once, at the start. */
export const instructions = `Coxswain keeps your tasks and documents in files, so that they outlive your context.

Two task systems:
- Coordinator tasks are yours, one after the other: coordinator_task to plan, start_coordinator_task to begin, complete_coordinator_task with a note to get the next. They take no slug.
- Subagent tasks live in documents and are named /path.md#slug: subagent_task to write them, start_subagent_task and complete_subagent_task to work on one.

After a compaction, or in a new session, call start_coordinator_task first: it gives back the task in progress and the Main-Workflow to follow.`;
