/**
 * Resolves relative paths in `command:`, `args:` and `script:` against the user's repository. Otherwise they would be
 * looked up at the desk, where an agent could change its own program or the one that judges it.
 */
import { isAbsolute, resolve } from "node:path";
import type { Files } from "../../world/files/files.ts";
import { isFile } from "../../world/files/is-file.ts";
import type { Crew, CrewAgent } from "./crew.ts";

export function anchorCrew(files: Files, root: string, crew: Crew): Crew {
  const anchored = (agent: CrewAgent): CrewAgent => ({
    ...agent,
    ...(agent.command ? { command: agent.command.map((word, at) => anchorWord(word, at)) } : {}),
    ...(agent.args ? { args: agent.args.map((word) => anchorWord(word, 1)) } : {}),
    ...(agent.script === undefined ? {} : { script: resolve(root, agent.script) }),
  });
  return { ...crew, agents: new Map([...crew.agents].map(([name, agent]) => [name, anchored(agent)])) };

  /**
   * Resolves a word that names a file of the repository, or an option whose value does. Folders stay as they are: they
   * refer to the desk.
   */
  function anchorWord(word: string, at: number): string {
    // A program without a slash is looked up in PATH.
    if (at === 0 && !word.includes("/")) return word;
    const [, option = "", path = word] = /^(-[^=]*=)(.*)$/s.exec(word) ?? [];
    if (path === "" || isAbsolute(path) || path.startsWith("-")) return word;
    const whole = resolve(root, path);
    return isFile(files, whole) ? `${option}${whole}` : word;
  }
}
