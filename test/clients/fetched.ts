/**
 * Programs of others at exact versions, fetched through npm once and kept in a cache folder outside the repository
 * (`COX_CLIENTS_CACHE`, else the user's own cache folder), because they are large and some may not be passed on.
 *
 * What is installed has a home of its own while it is: some run themselves then, and would write into the user's.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";

export interface Fetchable {
  /** The package's name, with its scope. */
  readonly name: string;
  /** Exact, so that a failure is the same tomorrow. */
  readonly version: string;
  /** What the package calls its program. */
  readonly program: string;
}

export type Fetched = { readonly path: string } | { readonly missing: string };

/** Where the program is; or why it could not be had, for `context.skip`. */
export async function fetched({ name, version, program }: Fetchable, into = cache): Promise<Fetched> {
  const folder = join(into, `${name.replace(/^@/, "").replaceAll("/", "-")}-${version}`);
  const path = join(folder, "node_modules", ".bin", program);
  // Installed beside and renamed when complete, so that what has the name is whole, whoever else fetches meanwhile.
  if (existsSync(folder)) return { path };
  const part = `${folder}.${process.pid}.part`;
  const home = mkdtempSync(join(tmpdir(), "cox-fetch-"));
  try {
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retries=1"];
    const ended = await run(["npm", ...args, `${name}@${version}`], {
      cwd: part,
      env: environment(home),
      deadlineMs: 240_000,
    });
    if (!existsSync(join(part, "node_modules", ".bin", program)) || ended.exitCode !== 0) {
      const said = ended.stderr.split("\n").find((line) => line.startsWith("npm error"));
      return {
        missing: `${name}@${version} could not be fetched: ${said ?? `npm ended with ${ended.exitCode}`}`,
      };
    }
    if (!existsSync(folder)) renameSync(part, folder);
    return { path };
  } finally {
    for (const left of [part, home]) rmSync(left, { recursive: true, force: true });
  }
}

const cache =
  process.env.COX_CLIENTS_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "coxswain", "clients");

/** Of npm's own settings only where packages come from, and nothing of the npm that may have started us. */
function environment(home: string): Record<string, string> {
  const { PATH = "", npm_config_registry: registry } = process.env;
  return {
    PATH,
    HOME: home,
    TMPDIR: home,
    npm_config_cache: join(home, "npm"),
    npm_config_userconfig: join(homedir(), ".npmrc"),
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
    ...proxies(),
  };
}

function proxies(): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];
  return Object.fromEntries(
    names
      .flatMap((name) => [name, name.toLowerCase()])
      .flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? ""]])),
  );
}
