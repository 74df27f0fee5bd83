/**
 * How a task is named: an id that people see (a GitHub-style slug, in any script) and a key derived from it once, for
 * files, refs and objects.
 */
import { slug } from "github-slugger";
import type { TaskId } from "./plan.ts";

const idLengthMax = 100;

/** The slug of a title, as GitHub would make it from the rendered heading, without hyphens at its ends. */
export function idFromTitle(title: string): TaskId {
  return asId(slug(plainText(title.slice(0, 200))));
}

/** GitHub links to "🚀 Launch" with `#-launch`; anyone who copies that link means the same task. */
export function asId(slugged: string): TaskId {
  return slugged.replace(/^-+|-+$/g, "") as TaskId;
}

/** Why a pinned id is invalid; undefined if it is valid. */
export function whyBadId(id: string): string | undefined {
  if (id === "") return "is empty";
  if (id.length > idLengthMax) return `has ${id.length} characters, over ${idLengthMax}`;
  // These are properties of every object: one careless lookup would find them where nothing was stored.
  if (id in {}) return "is a name that every JavaScript object has";
  if (!/^[\p{L}\p{N}]/u.test(id)) return "does not begin with a letter or a digit";
  if (slug(id) !== id) return "is not a slug (lower-case letters, digits, hyphens and underscores)";
  if (id.endsWith("-")) return "ends in a hyphen";
  return undefined;
}

/** Equal for equal ids, different for different ids, and made only of `a-z`, `0-9`, `-` and `_`. */
export function safeKey(id: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,59}$/.test(id) && !(id in {}) && !reserved.test(id)) return id;
  const ascii = id
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9]+/g, "-")
    .toLowerCase()
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return `${ascii === "" ? "task" : ascii}-${fingerprint(id)}`;
}

/** Device names on Windows, where a repository may be checked out. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** The visible text of inline Markdown: the text of links, without tags and without underscore emphasis. */
function plainText(title: string): string {
  return title
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/<[^<>]*>/g, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/(?<![\p{L}\p{N}_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu, "");
}

/** Fifty-three bits (cyrb53), in base 36. Not for secrets: two tasks of one plan with one key are an error anyway. */
function fingerprint(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
