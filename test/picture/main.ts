/** `npm run picture`: runs the demo in a pseudo-terminal and draws docs/demo.svg from what it shows there. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { moments, screensAt } from "./moments.ts";
import { svg } from "./svg.ts";

// This file is compiled to dist/test/picture.
const house = fileURLToPath(new URL("../../../", import.meta.url));
const size = { columns: 100, rows: 32 };

const temporary = mkdtempSync(join(tmpdir(), "picture-"));
try {
  const screens = screensAt(moments, await record(), size);
  const picture = svg({
    ...size,
    title: "cox demo",
    description:
      "A terminal in which cox demo runs a plan of six tasks with four agents and an auditor: they work at the same time, a failed audit is reworked, a question is answered, each task becomes a commit, and one is rolled back.",
    screens,
    still: 2,
  });
  writeFileSync(join(house, "docs/demo.svg"), picture);
  process.stdout.write(`docs/demo.svg: ${screens.length} screens, ${picture.length} characters\n`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** What the demo writes to its terminal, in the pieces in which it came. */
function record(): Promise<string[]> {
  const command = `stty cols ${size.columns} rows ${size.rows}; exec "${process.execPath}" "${house}bin/cox.js" demo`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, HOME: temporary, TERM: "xterm-256color", LC_ALL: "C.UTF-8" },
  });
  const writes: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => writes.push(text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0
        ? resolve(writes)
        : reject(new Error(`the demo ended with exit ${code}\n${writes.join("")}`)),
    );
  });
}
