/**
 * What can be written but has no effect yet, each with what happens today instead. This is the only such list.
 *
 * A name on it is still read, so that older plans, configurations, profiles and replies stay valid; where it is used, a
 * warning says so. It is offered nowhere: not by `cox init`, schemas, suggestions, `cox status --settings` or a page.
 * When you implement the effect, remove its row here, which brings it back everywhere, and name the test that shows the
 * effect in `test/effects/shown-by.ts`.
 */
type Rows = Readonly<Record<string, string>>;

const noReview = "the coordinator merges by itself, without a review after a level";
const noDelegation = "agents cannot ask each other";
const noUsage = "your allowance is not checked; a budget limits what a run spends";
const noFailure = "a task that fails waits for you, and attempts says how often it is tried";
const noChoice = "it does not choose an agent";

export const noEffectYet = {
  /** In a plan's front matter, the configuration or on the command line. */
  setting: {
    "coordinator-mode": noReview,
    tick: "a run leaves your plan as it is, and cox status says what is done",
    "remediation-attempts": "the environment is not repaired; a task that finds it broken is tried again",
    "loop-threshold": "turn-attempts and audit-attempts end what fails again and again",
    "delegations-per-agent": noDelegation,
    "delegation-timeout": noDelegation,
    "usage-command": noUsage,
    "usage-threshold": noUsage,
    failure: noFailure,
    "escalate-to": noFailure,
  },
  /** Fields of a task in a plan. */
  field: {
    Reads: "an agent can read every file at its desk",
    Produces: "all outputs of a reply are passed on",
    Failure: noFailure,
    "Escalate-To": noFailure,
  },
  /** Keys of a profile; those below `x-cox` by their name there. */
  "profile key": {
    tools: "an agent has the tools that its driver gives its role, and an auditor can only read",
    capabilities: noChoice,
    keywords: noChoice,
    "request-types": noChoice,
  },
  /** Properties of a developer's reply, by their place in the schema. */
  "reply property": {
    delegations: noDelegation,
    "file_operations[].edit_instructions": "words alone are refused, and words beside edits are not read",
  },
  /** Signals by which a reply reports its task's status. */
  signal: {
    "DELEGATION REQUEST": noDelegation,
    "AGENT COMPLETE": noDelegation,
    OUT_OF_SCOPE: noDelegation,
    "HEALTH AUDIT": "no auditor the surroundings",
    "ROLLBACK REQUIRED": "only a person rolls a task back, with cox rollback",
  },
} as const satisfies Record<string, Rows>;

export type Offered = keyof typeof noEffectYet;

export function hasEffect(kind: Offered, name: string): boolean {
  return !Object.hasOwn(noEffectYet[kind], name);
}

/** The warning where it is used; undefined for a thing that works. `shown` is how it was written there. */
export function noEffectWords(
  kind: Offered,
  name: string,
  shown = name,
): { readonly message: string; readonly hint: string } | undefined {
  if (hasEffect(kind, name)) return undefined;
  const rows: Rows = noEffectYet[kind];
  return {
    message: `${shown} has no effect yet: ${rows[name]}`,
    hint: "Remove it, or keep it as a note: it has no effect.",
  };
}
