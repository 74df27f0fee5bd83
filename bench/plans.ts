/** Plans far larger than anybody writes by hand: reading and checking them stays linear, and short enough to wait for. */
import { parsePlan } from "../src/plan/read/parse.ts";
import { assert } from "../src/std/assert.ts";
import type { Contestant, Workload } from "./workload.ts";

const large = "10,000 tasks";
const huge = "100,000 tasks";
const lines = "its lines";

export function largePlans(): Workload {
  const texts = { [large]: planOf(10_000), [huge]: planOf(100_000) };
  return {
    name: "plans",
    work: "a plan read and checked: ten lines a task, each task after two others, claims, criteria and prose",
    fairness: [
      `${large}, ${huge}: \`parsePlan\`, with every check: ids, dependencies, cycles, agents, verify commands.`,
      `${lines}: the text of the smaller one split into lines, each trimmed and compared with a heading: the least that any reader does.`,
    ],
    contestants: [
      reading(large, texts[large] ?? "", 10_000),
      reading(huge, texts[huge] ?? "", 100_000),
      splitting(texts[large] ?? ""),
    ],
    comparisons: [
      { slow: huge, fast: large, target: { atMost: 15 } },
      { slow: large, fast: lines },
    ],
  };
}

function reading(name: string, text: string, tasks: number): Contestant {
  return {
    name,
    prepare: () => {
      let read = 0;
      return {
        go: () => {
          read = parsePlan(text).plan.tasks.length;
        },
        end: () => assert(read === tasks, "every task was read"),
      };
    },
  };
}

function splitting(text: string): Contestant {
  return {
    name: lines,
    prepare: () => {
      let headings = 0;
      return {
        go: () => {
          headings = 0;
          for (const line of text.split("\n")) if (line.trim().startsWith("### ")) headings += 1;
        },
        end: () => assert(headings > 0, "there are headings"),
      };
    },
  };
}

function planOf(tasks: number): string {
  const parts = ["---\nverify: npm test\n---\n\n# A large plan\n\n## Tasks\n"];
  for (let number = 0; number < tasks; number += 1) {
    const before = number < 2 ? "" : `- Depends-On: step-${number - 1}, step-${Math.floor(number / 2)}\n`;
    parts.push(
      `\n### Step ${number}\n\n${before}- Priority: ${number % 7 === 0 ? "high" : "normal"}\n- Writes: src/part-${number}/**\n- Success: part ${number} is there\n\nWhat there is to say about step ${number}, in a line or two.\n`,
    );
  }
  return parts.join("");
}
