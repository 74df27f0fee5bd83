/**
 * What the scripted model does in every client: a coordinator's list from its first task to the archive, then one
 * task of a document. All six task tools, by their own names: each client puts something else before them.
 */
import type { Step } from "../../src/model-server/script.ts";

const document = "/api/authentication.md";

export const notes = {
  coordinator: [
    "Decided on JWT with refresh tokens. Created spec document.",
    "Auth system implemented with all tests passing",
    "Integration tests complete. Feature ready for review.",
  ],
  subagent: "JWT signing implemented using RS256 algorithm",
};

export const sixTools: readonly Step[] = [
  {
    tool: "coordinator_task",
    input: {
      operations: [
        {
          operation: "create",
          title: "Research authentication approaches",
          content:
            "- Status: pending\n- Main-Workflow: tdd-incremental-orchestration\n- Workflow: multi-option-tradeoff\n\nCompare JWT vs session-based auth\n\n@/specs/security-requirements.md",
        },
        {
          operation: "create",
          title: "Implement chosen auth system",
          content: "- Status: pending\n\nBuild authentication system based on research",
        },
        {
          operation: "create",
          title: "Write integration tests",
          content:
            "- Status: pending\n- Workflow: code-review-issue-based\n\nEnsure auth system works end-to-end",
        },
      ],
    },
  },
  { tool: "start_coordinator_task" },
  { tool: "start_coordinator_task" },
  ...notes.coordinator.map((note): Step => ({ tool: "complete_coordinator_task", input: { note } })),
  {
    tool: "subagent_task",
    input: {
      document,
      operations: [
        {
          operation: "create",
          title: "Implement JWT signing",
          content: "- Status: pending\n\nImplement token signing logic",
        },
      ],
    },
  },
  { tool: "start_subagent_task", input: { document: `${document}#implement-jwt-signing` } },
  {
    tool: "complete_subagent_task",
    input: {
      document: `${document}#implement-jwt-signing`,
      note: notes.subagent,
    },
  },
  { text: "All six tools were called." },
];

/** The documents that are there before. */
export const documents: Readonly<Record<string, string>> = {
  ".coxswain/docs/specs/security-requirements.md":
    "# Security requirements\n\nTokens expire within the hour.\n",
  ".coxswain/docs/api/authentication.md": "# Authentication\n\nHow users sign in.\n\n## Tasks\n",
};
