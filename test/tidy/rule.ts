/**
 * A rule about the source: takes files and returns what is wrong with them. Rules read only the text they are given, so
 * each can be tested on a bad example as well as on the real tree.
 */
export type Rule = (files: readonly TextFile[], allowed?: readonly Allowance[]) => Finding[];

export interface TextFile {
  /** Relative to the root of the repository, with `/` as separator. */
  readonly path: string;
  readonly text: string;
}

/** A file that is exempt from a rule, and why. */
export interface Allowance {
  readonly path: string;
  readonly because: string;
}

/** One line that names the place and what to do, as it is printed when a test fails. */
export type Finding = string;

/** The sources that are published, without the tests beside them. */
export function published(files: readonly TextFile[]): TextFile[] {
  return files.filter(({ path }) => /^src\/.*\.ts$/.test(path) && !isTest(path));
}

/** A test, or a suite that several tests share: it may use whatever proves its claim. */
export function isTest(path: string): boolean {
  return /\.(test|contract)\.ts$/.test(path);
}

/** The folder of `src` that a file is in; a file directly in `src` is its own: `main`, `index`. */
export function folderOf(path: string): string {
  return path.split("/")[1]?.replace(/\.ts$/, "") ?? "";
}
