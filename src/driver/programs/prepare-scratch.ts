/**
 * Puts what a client needs into a turn's scratch folder, and after the turn moves what the client itself added there to
 * the user's folder. The user's files are linked, never copied or read. Writing in place goes through a link, but a new
 * file, or one renamed over a link, would be lost with the scratch folder.
 */
import { join } from "node:path";
import { encodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { PlainFiles } from "../../world/files/plain-files.ts";
import type { ClientStart, Mirror } from "./agent-client.ts";

type ScratchContents = Pick<ClientStart, "files" | "mirrors">;

export interface PreparedScratch {
  /** Call this when the turn is over. Returns what could not be moved, and why. */
  collect(): readonly string[];
}

export function prepareScratch(
  plain: PlainFiles,
  scratch: string,
  { files = {}, mirrors = [] }: ScratchContents,
): PreparedScratch {
  const hung = mirrors.map((mirror) => ({ mirror, stamps: hang(plain, scratch, mirror) }));
  for (const [path, text] of Object.entries(files)) plain.write(join(scratch, path), encodeUtf8(text));
  return { collect: () => hung.flatMap((one) => bring(plain, scratch, one)) };
}

/** The stamp of each of the user's files at that time, by name. */
type Stamps = ReadonlyMap<string, string | undefined>;

function hang(plain: PlainFiles, scratch: string, { of, at, only, except = [], makes = [] }: Mirror): Stamps {
  for (const name of makes) plain.makeFolder(join(of, name));
  const names = plain.list(of).filter((name) => !except.includes(name) && (only?.includes(name) ?? true));
  for (const name of names) plain.link(join(scratch, at, name), join(of, name));
  return new Map(names.map((name) => [name, plain.look(join(of, name))?.stamp]));
}

interface Hung {
  readonly mirror: Mirror;
  readonly stamps: Stamps;
}

function bring(plain: PlainFiles, scratch: string, { mirror, stamps }: Hung): string[] {
  const { of, at, bringsHome = [] } = mirror;
  const names = plain.list(join(scratch, at)).filter((name) => bringsHome.includes(name));
  return names.flatMap((name) => {
    const [from, to] = [join(scratch, at, name), join(of, name)];
    try {
      const isOurLink = plain.look(from)?.kind === "link";
      // If the user or another turn changed it meanwhile, that version wins.
      const isAsItWas = plain.look(to)?.stamp === stamps.get(name);
      if (!isOurLink && isAsItWas) plain.move(from, to);
      return [];
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      return [`${to} is not as the agent left it (${errno})`];
    }
  });
}
