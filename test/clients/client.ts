/**
 * A real program that works with a model: how it is fetched, and how it is started so that it knows our model server
 * and one MCP server, in a home of its own and with nothing else. The prompt always comes through stdin.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Fetchable } from "./fetched.ts";
import { type Ran, run, type Talk } from "./run.ts";

export interface Client extends Fetchable {
  /** As a user would call it. */
  readonly title: string;
  start(place: Place): Start;
}

export interface Place {
  /** The fetched program. */
  readonly program: string;
  /** Empty, and the program's own. */
  readonly home: string;
  /** Where it works. */
  readonly folder: string;
  /** The address of the model server, without a path. */
  readonly model: string;
  /** How its MCP server, called `coxswain`, is started. */
  readonly server: { readonly command: string; readonly args: readonly string[] };
}

export interface Start {
  /** Behind the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Settings, by their paths in the home. */
  readonly files: Readonly<Record<string, string>>;
}

/** To its end. */
export function ask(place: Place, { args, env, files }: Start, prompt: string | Talk): Promise<Ran> {
  for (const [path, text] of Object.entries({ ...files, "tmp/.keep": "" })) {
    mkdirSync(join(place.home, dirname(path)), { recursive: true });
    writeFileSync(join(place.home, path), text);
  }
  return run([place.program, ...args], {
    cwd: place.folder,
    env: { ...bare(place.home), ...env },
    stdin: prompt,
    deadlineMs: 150_000,
  });
}

function bare(home: string): Record<string, string> {
  return {
    HOME: home,
    TMPDIR: join(home, "tmp"),
    PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    LANG: "C.UTF-8",
    TERM: "dumb",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}
