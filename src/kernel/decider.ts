/** Who decided, and through which door: `{ who: "ana", door: "terminal" }`. */
export interface Decider {
  readonly who: string;
  readonly door: "terminal" | "command" | "elicitation" | "plan" | "coordinator";
  /** Of the request, so that one that is sent twice counts once. */
  readonly request?: string;
}
