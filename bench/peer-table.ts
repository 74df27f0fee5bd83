/** What other programs did in the same run, next to ours: figures in rows, and the targets they decide. */
export interface PeerTable {
  readonly name: string;
  readonly work: string;
  readonly columns: readonly string[];
  readonly rows: readonly PeerRow[];
  readonly aims: readonly PeerAim[];
  readonly fairness: readonly string[];
}

export interface PeerRow {
  readonly who: string;
  readonly cells: readonly string[];
}

export interface PeerAim {
  readonly wanted: string;
  readonly found: string;
  readonly met: boolean;
}

export function peerLines({ name, work, columns, rows, aims }: PeerTable): string[] {
  const line = (who: string, cells: readonly string[]) =>
    `  ${who.padEnd(24)}${cells.map((cell) => cell.padStart(16)).join("")}`;
  return [
    `${name}: ${work}`,
    line("", columns),
    ...rows.map(({ who, cells }) => line(who, cells)),
    ...aims.map(({ wanted, found, met }) => `  ${wanted}: ${found}, ${met ? "met" : "MISSED"}`),
  ];
}

export function peerSection({ name, work, columns, rows, aims, fairness }: PeerTable): string[] {
  return [
    `## ${name}`,
    "",
    `${work}.`,
    "",
    `| | ${columns.join(" | ")} |`,
    `| --- | ${columns.map(() => "---").join(" | ")} |`,
    ...rows.map(({ who, cells }) => `| ${[who, ...cells].join(" | ")} |`),
    "",
    ...(aims.length === 0 ? [] : ["| wanted | found | |", "| --- | --- | --- |"]),
    ...aims.map(({ wanted, found, met }) => `| ${wanted} | ${found} | ${met ? "met" : "missed"} |`),
    ...(aims.length === 0 ? [] : [""]),
    ...fairness.map((line) => `- ${line}`),
    "",
  ];
}
