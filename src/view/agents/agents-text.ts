/** `cox agents`: who is configured, what is installed, and what each can do. */
import { oneLine } from "../../std/printable.ts";
import { type Display, lineText } from "../text/line.ts";
import { type Row, tableLines } from "../text/table.ts";
import { cutMiddle } from "../text/width.ts";
import { timeLimit } from "../time-limit.ts";

export interface ShownAgents {
  readonly agents: readonly (ShownProgram & {
    readonly agent: string;
    readonly role: string;
    readonly model: string | undefined;
    readonly program: string | undefined;
    /** What is missing before it could work, in words. */
    readonly lacks: string | undefined;
    /** The time limit of its turns, if its profile has one. */
    readonly timeoutMs: number | undefined;
    /** Its purpose, from its profile. */
    readonly description: string;
  })[];
  readonly programs: readonly (ShownProgram & {
    readonly title: string;
    readonly program: string;
    readonly install: string;
    readonly signIn: string;
  })[];
}

interface ShownProgram {
  readonly driver: string;
  readonly version: string | undefined;
  readonly signedIn: { readonly state: "yes"; readonly by: string } | { readonly state: "unknown" };
  /** By name: yes, no or unknown. */
  readonly can: Readonly<Record<string, string>> | undefined;
}

export function agentsText(
  { agents, programs }: ShownAgents,
  look: Pick<Display, "paint" | "ascii">,
): string {
  const { paint } = look;
  const agentRows = agents.map((one) => [
    one.lacks === undefined ? found : missing,
    cutMiddle(oneLine(one.agent, 200), nameMax),
    oneLine(one.role, 30),
    oneLine([one.driver, one.model].filter((word) => word !== undefined).join(", "), 60),
    one.timeoutMs === undefined ? "" : `turns up to ${timeLimit(one.timeoutMs)}`,
    one.lacks === undefined ? versionWords(one) : oneLine(one.lacks, 90),
  ]);
  const programRows = programs.map(
    (one): Row => [
      one.version === undefined ? (["dim", "·"] as const) : found,
      one.title,
      one.version === "" ? "installed" : (one.version ?? "not installed"),
      `driver: ${one.driver}`,
      one.version === undefined ? one.install : signInText(one),
      ["dim", one.version === undefined ? "" : canText(one.can)],
    ],
  );
  const none = "none is configured: write agents: in .coxswain/config.yaml (cox init shows how)";
  return [
    paint("bold", "Agents"),
    ...(agents.length === 0 ? [`  ${none}`] : table(agentRows, look)),
    "",
    paint("bold", "Programs"),
    ...table(programRows, look),
    "",
  ].join("\n");
}

function versionWords({ version, signedIn }: ShownProgram): string {
  if (version === undefined) return "";
  return signedIn.state === "yes" ? `${version}, signed in: ${signedIn.by}` : version;
}

function signInText({ signedIn, signIn }: ShownAgents["programs"][number]): string {
  return signedIn.state === "yes" ? `signed in: ${signedIn.by}` : `signed in: unknown (${signIn})`;
}

export function canText(can: ShownProgram["can"]): string {
  const names = Object.entries(can ?? {}).flatMap(([name, says]) => (says === "yes" ? [name] : []));
  return names.length === 0 ? "" : `can: ${names.join(", ")}`;
}

const found = ["green", "✓"] as const;
const missing = ["yellow", "!"] as const;

/** Only names are shortened. Text to be typed is never cut, so a terminal may break the line. */
const nameMax = 32;
const columns = 2000;

function table(rows: readonly Row[], look: Pick<Display, "paint" | "ascii">): string[] {
  // The mark is placed next to the name it belongs to.
  const lines = tableLines(
    rows.map(([, ...cells]) => cells),
    columns,
  );
  return lines.map(
    (line, at) => `${indent}${lineText([rows[at]?.[0] ?? "", " ", ...line], { ...look, columns })}`,
  );
}

const indent = "  ";

export function agentsDocument({ agents, programs }: ShownAgents) {
  const program = ({ driver, version, signedIn, can }: ShownProgram) => ({
    driver,
    version: version || null,
    signed_in: signedIn.state,
    signed_in_by: signedIn.state === "yes" ? signedIn.by : null,
    can: can ?? null,
  });
  return {
    ok: true,
    agents: agents.map((one) => ({
      agent: one.agent,
      role: one.role,
      model: one.model ?? null,
      program: one.program ?? null,
      installed: one.lacks === undefined,
      lacks: one.lacks ?? null,
      timeout_ms: one.timeoutMs ?? null,
      description: one.description,
      ...program(one),
    })),
    programs: programs.map((one) => ({
      title: one.title,
      program: one.program,
      installed: one.version !== undefined,
      install: one.install,
      ...program(one),
    })),
  };
}
