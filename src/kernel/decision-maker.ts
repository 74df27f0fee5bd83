/** Who decided, and through which door: `{ who: "ana", door: "terminal" }`. */
export interface DecisionMaker {
  readonly who: string;
  readonly door: "terminal" | "command" | "elicitation" | "plan" | "coordinator";
  /** Id of the request, so that a request sent twice counts once. */
  readonly request?: string;
}
