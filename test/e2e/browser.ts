/**
 * A real browser, unpacked into the test's own folder. By default the package unpacks it into the shared temporary
 * folder under fixed names, and trusts whatever it finds there: something left by another user, who may be anybody,
 * would be started or get in the way.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";

export interface UnpackedBrowser {
  readonly executablePath: string;
  remove(): void;
}

export async function unpackBrowser(): Promise<UnpackedBrowser> {
  const folder = mkdtempSync(join(tmpdir(), "cox-browser-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return { executablePath: await unpackedIn(folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Leaves out the arguments that disable the protections the tests are about. */
export const browserArguments = chromium.args.filter(
  (argument) => !/web-security|insecure-content|site-isolation|disable-features/.test(argument),
);

/** The package reads the target folder from the environment before its first await. */
function unpackedIn(folder: string): Promise<string> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
