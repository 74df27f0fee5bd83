/**
 * Puts into a turn's scratch folder what a client needs to find there, and brings home after the turn what the client itself
 * put among it. What is the user's is linked to, never copied or read; to write in place goes through a link, but a file
 * that is new, or that was renamed over a link, would be gone with the folder.
 */
import { join } from "node:path";
import { encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { PlainFiles } from "../world/plain-files.ts";
import type { ClientStart, Mirror } from "./agent-client.ts";

type Furniture = Pick<ClientStart, "files" | "mirrors">;

export interface Furnished {
  /** When nobody works there any more; tells what could not be brought, and why. */
  bringHome(): readonly string[];
}

export function furnish(
  plain: PlainFiles,
  scratch: string,
  { files = {}, mirrors = [] }: Furniture,
): Furnished {
  const hung = mirrors.map((mirror) => ({ mirror, stamps: hang(plain, scratch, mirror) }));
  for (const [path, text] of Object.entries(files)) plain.write(join(scratch, path), encodeUtf8(text));
  return { bringHome: () => hung.flatMap((one) => bring(plain, scratch, one)) };
}

/** How each of the user's looked then, by its name. */
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
  const { of, at, except = [], staysBehind } = mirror;
  if (staysBehind === undefined) return [];
  const names = plain
    .list(join(scratch, at))
    .filter((name) => !except.includes(name) && !staysBehind.test(name));
  return names.flatMap((name) => {
    const [from, to] = [join(scratch, at, name), join(of, name)];
    try {
      const isOurLink = plain.look(from)?.kind === "link";
      // Who changed it meanwhile, the user or another turn, knows it better than this one.
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
