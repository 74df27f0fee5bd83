/** `cox agents`: who is configured, what is installed, and what each can do. */
import { oneLine } from "../std/printable.ts";
import type { Paint } from "./paint.ts";
import { padTo, widthOf } from "./width.ts";

export interface ToldAgents {
  readonly agents: readonly (ToldProgram & {
    readonly agent: string;
    readonly role: string;
    readonly model: string | undefined;
    readonly program: string | undefined;
    /** In words, what is missing before it could work. */
    readonly lacks: string | undefined;
  })[];
  readonly programs: readonly (ToldProgram & {
    readonly title: string;
    readonly program: string;
    readonly install: string;
    readonly signIn: string;
  })[];
}

interface ToldProgram {
  readonly driver: string;
  readonly version: string | undefined;
  readonly signedIn: { readonly state: "yes"; readonly by: string } | { readonly state: "unknown" };
  /** By name: yes, no or unknown. */
  readonly can: Readonly<Record<string, string>> | undefined;
}

export function agentsText({ agents, programs }: ToldAgents, paint: Paint): string {
  const mark = (isThere: boolean) => (isThere ? paint("green", "✓") : paint("yellow", "!"));
  const agentRows = agents.map((one) => [
    `${mark(one.lacks === undefined)} ${oneLine(one.agent, 64)}`,
    oneLine(one.role, 30),
    oneLine([one.driver, one.model].filter((word) => word !== undefined).join(", "), 60),
    one.lacks === undefined ? versionWords(one) : oneLine(one.lacks, 90),
  ]);
  const programRows = programs.map((one) => [
    `${one.version === undefined ? paint("dim", "·") : paint("green", "✓")} ${one.title}`,
    one.version === "" ? "installed" : (one.version ?? "not installed"),
    `driver: ${one.driver}`,
    one.version === undefined ? one.install : signInText(one),
    one.version === undefined ? "" : paint("dim", canText(one.can)),
  ]);
  const none = "none is configured: write agents: in .coxswain/config.yaml (cox init shows how)";
  return [
    paint("bold", "Agents"),
    ...(agents.length === 0 ? [`  ${none}`] : table(agentRows)),
    "",
    paint("bold", "Programs"),
    ...table(programRows),
    "",
  ].join("\n");
}

function versionWords({ version, signedIn }: ToldProgram): string {
  if (version === undefined) return "";
  return signedIn.state === "yes" ? `${version}, signed in: ${signedIn.by}` : version;
}

function signInText({ signedIn, signIn }: ToldAgents["programs"][number]): string {
  return signedIn.state === "yes" ? `signed in: ${signedIn.by}` : `signed in: unknown (${signIn})`;
}

export function canText(can: ToldProgram["can"]): string {
  const names = Object.entries(can ?? {}).flatMap(([name, says]) => (says === "yes" ? [name] : []));
  return names.length === 0 ? "" : `can: ${names.join(", ")}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => widthOf(plain(row[at] ?? "")))),
  );
  return rows.map((row) =>
    `  ${row.map((cell, at) => cell + padTo("", (widths[at] ?? 0) - widthOf(plain(cell)))).join("  ")}`.trimEnd(),
  );
}

function plain(painted: string): string {
  return painted.replace(/\u001b\[[0-9;]*m/g, "");
}

export function agentsDocument({ agents, programs }: ToldAgents) {
  const program = ({ driver, version, signedIn, can }: ToldProgram) => ({
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
