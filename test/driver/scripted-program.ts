/** What the scripted agents have in common that are talked to over their stdio: how one is started, and what it was asked. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The command of a program that does what the file says. */
export function programThat(play: object, { program, file }: { program: string; file: string }) {
  writeFileSync(file, JSON.stringify(play));
  return [process.execPath, program, file] as [string, ...string[]];
}

/** What it was asked so far. */
export function rememberedIn(file: string): Record<string, unknown>[] {
  try {
    const lines = readFileSync(`${file}.heard`, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  } catch {
    return []; // It was never started.
  }
}

/** `files` are at its desk. */
export function turnIn(folder: string, files: Readonly<Record<string, string>> = {}) {
  const [desk, scratch] = [join(folder, "desk"), join(folder, "scratch")];
  for (const path of [desk, scratch]) mkdirSync(path, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(desk, dirname(path)), { recursive: true });
    writeFileSync(join(desk, path), text);
  }
  return {
    ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
    ...{ way: "desk" as const, fence: "cox-5ac1", prompt: "Please do it.", readOnly: [], desk, scratch },
  };
}

export type After = (ms: number, call: () => void) => () => void;

export const timed: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Time that is over when it has been asked this, however long that takes. */
export function whenAsked(method: string, file: string): After {
  return (_, call) => {
    const timer = setInterval(() => {
      if (!rememberedIn(file).some((one) => one.method === method)) return;
      clearInterval(timer);
      call();
    }, 20);
    return () => clearInterval(timer);
  };
}
