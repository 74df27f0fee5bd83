/** Puts into a turn's scratch folder what a client needs to find there. What is the user's is linked to, never copied or read. */
import { join } from "node:path";
import { encodeUtf8 } from "../std/utf8.ts";
import type { PlainFiles } from "../world/plain-files.ts";
import type { ClientStart, Mirror } from "./agent-client.ts";

type Furniture = Pick<ClientStart, "files" | "mirrors">;

export function furnish(plain: PlainFiles, scratch: string, { files = {}, mirrors = [] }: Furniture): void {
  for (const mirror of mirrors) hang(plain, scratch, mirror);
  for (const [path, text] of Object.entries(files)) plain.write(join(scratch, path), encodeUtf8(text));
}

function hang(plain: PlainFiles, scratch: string, { of, at, only, except = [], makes = [] }: Mirror): void {
  for (const name of makes) plain.makeFolder(join(of, name));
  const names = plain.list(of).filter((name) => !except.includes(name) && (only?.includes(name) ?? true));
  for (const name of names) plain.link(join(scratch, at, name), join(of, name));
}
