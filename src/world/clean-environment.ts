/**
 * The environment of every program that is not ours: what is on the list, and nothing else.
 *
 * A list of what is forbidden would be one secret behind: GITHUB_TOKEN, AWS_*, SSH_AUTH_SOCK, and what starts code of
 * its own (NODE_OPTIONS, LD_PRELOAD, GIT_*) are left out because nobody named them.
 */
export interface CleanWishes {
  /** Names that a person allowed besides, exactly as written. */
  readonly pass?: readonly string[];
}

export type Environment = Readonly<Record<string, string>>;

export function cleanEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  { pass = [] }: CleanWishes = {},
): Environment {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (isHarmless(name, value) || pass.includes(name))) clean[name] = value;
  }
  return { ...clean, PATH: absoluteParts(parent.PATH), TERM: "dumb" };
}

function isHarmless(name: string, value: string): boolean {
  return words.has(name) || /^LC_[A-Z]+$/.test(name) || (folders.has(name) && value.startsWith("/"));
}

const words = new Set(["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"]);
/** Tools keep their caches below HOME. A relative one would lead into whatever folder the program works in. */
const folders = new Set(["HOME", "SHELL", "TMPDIR"]);

/** An empty part, like `.`, is the folder a program works in: whoever writes there would choose what is run. */
function absoluteParts(path: string | undefined): string {
  const parts = (path ?? "").split(":").filter((part) => part.startsWith("/"));
  return parts.length > 0 ? parts.join(":") : "/usr/local/bin:/usr/bin:/bin";
}
