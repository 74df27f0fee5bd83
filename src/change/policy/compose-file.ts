/**
 * Detects Compose files whose containers get access to the host: its privileges, processes, network, container engine
 * or all of its files. Files are parsed as YAML, so no notation can hide this. A file that cannot be parsed needs a
 * person to look at it.
 */
import { parseAllDocuments } from "yaml";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

/** `compose.yaml`, `docker-compose.yml`, `compose.prod.yaml`, `docker-compose-test.yml` …; the path is folded. */
export function isComposeFile(path: string): boolean {
  return /(?:^|\/)[^/]*compose[^/]*\.ya?ml$/.test(path);
}

/** `path` is the one to show. */
export function composeFile(path: string, after: string): Omit<Problem, "path"> | undefined {
  const [first, ...more] = reachesOf(after);
  if (first === undefined) return undefined;
  const others = more.length > 0 ? `, and ${more.length} more` : "";
  return {
    code: "PATH_SENSITIVE",
    message: `${quote(path)} lets a container reach into the machine that starts it (${oneLine(first, 120)}${others}): only a person may let it change`,
    hint: "Leave it out unless the task is about it; a person is asked, and sees the exact content.",
  };
}

function reachesOf(text: string): string[] {
  try {
    const documents = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: "silent" });
    const all = Array.isArray(documents) ? documents : [];
    if (all.some(({ errors }) => errors.length > 0)) return ["it cannot be read as YAML"];
    return all.flatMap((document) => reaches(document.toJS({ maxAliasCount: aliasesMax }), []));
  } catch {
    // Aliases that expand to more than anybody writes.
    return ["it cannot be read as YAML"];
  }
}

const aliasesMax = 1000;

/** `at` is the path to the value: `services`, `web`, `privileged`. */
function reaches(value: unknown, at: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => reaches(one, at));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, one]) => reaches(one, [...at, key]));
  const key = at.at(-1) ?? "";
  const said = String(value).trim();
  return isReach(key, said) ? [`${at.slice(-3).join(".")}: ${said}`] : [];
}

function isReach(key: string, said: string): boolean {
  if (key === "privileged") return said.toLowerCase() !== "false";
  if (hostNamespaces.has(key) && said.toLowerCase() === "host") return true;
  if (engineSocket.test(said)) return true;
  return key === "volumes"
    ? /^\/+:/.test(said)
    : key === "source" || key === "device"
      ? /^\/+$/.test(said)
      : false;
}

const hostNamespaces: ReadonlySet<string> = new Set([
  ...["pid", "ipc", "uts", "cgroup", "network_mode", "userns_mode"],
]);
const engineSocket = /\b(?:docker|podman|containerd|crio|cri-dockerd)\.sock\b/;
