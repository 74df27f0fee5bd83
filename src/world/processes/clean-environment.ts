/**
 * Builds the environment of every program that is not ours: only listed variables are passed on.
 *
 * A list of forbidden variables would always miss the next secret. GITHUB_TOKEN, AWS_*, SSH_AUTH_SOCK, and variables
 * that run code (NODE_OPTIONS, LD_PRELOAD, GIT_*) are dropped because they are not on the list.
 */
export interface CleanEnvironmentOptions {
  /** More names that a person allowed, exactly as written. */
  readonly pass?: readonly string[];
}

export type Environment = Readonly<Record<string, string>>;

export function cleanEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  { pass = [] }: CleanEnvironmentOptions = {},
): Environment {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (isHarmless(name, value) || pass.includes(name))) clean[name] = value;
  }
  return { ...clean, PATH: absolutePath(parent.PATH), TERM: "dumb" };
}

function isHarmless(name: string, value: string): boolean {
  return words.has(name) || /^LC_[A-Z]+$/.test(name) || (folders.has(name) && value.startsWith("/"));
}

const words = new Set(["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"]);
/** Tools keep their caches below HOME. A relative path would lead into whatever folder the program works in. */
const folders = new Set(["HOME", "SHELL", "TMPDIR"]);

/** An empty part, like `.`, means the working folder: anybody who writes there could choose what is run. */
export function absolutePath(path: string | undefined): string {
  const parts = (path ?? "").split(":").filter((part) => part.startsWith("/"));
  return parts.length > 0 ? parts.join(":") : "/usr/local/bin:/usr/bin:/bin";
}
