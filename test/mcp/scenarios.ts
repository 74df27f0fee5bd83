/**
 * Two stories that the task tools were made for, as the calls they consist of: a coordinator's list from its first task
 * to the archive, and tasks of a document, given away in any order.
 */

/** The documents that are there before. */
export const documents: Readonly<Record<string, string>> = {
  ".coxswain/docs/specs/security-requirements.md":
    "# Security requirements\n\nTokens expire within the hour.\n",
  ".coxswain/docs/specs/jwt-spec.md": "# JWT\n\nTokens are signed with RS256.\n",
  ".coxswain/docs/api/authentication.md": "# Authentication\n\nHow users sign in.\n\n## Tasks\n",
};

export const coordinatorOperations = [
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
    content: "- Status: pending\n- Workflow: code-review-issue-based\n\nEnsure auth system works end-to-end",
  },
];

export const coordinatorNotes = [
  "Decided on JWT with refresh tokens. Created spec document.",
  "Auth system implemented with all tests passing",
  "Integration tests complete. Feature ready for review.",
] as const;

export const subagentDocument = "/api/authentication.md";

export const subagentOperations = [
  {
    operation: "create",
    title: "Implement JWT signing",
    content:
      "- Status: pending\n- Workflow: tdd-incremental-orchestration\n\nImplement token signing logic\n\n@/specs/jwt-spec.md",
  },
  {
    operation: "create",
    title: "Add token validation",
    content: "- Status: pending\n\nValidate tokens in middleware",
  },
  {
    operation: "create",
    title: "Handle token refresh",
    content: "- Status: pending\n\nImplement refresh token endpoint",
  },
];

export const subagentNote = "JWT signing implemented using RS256 algorithm";
