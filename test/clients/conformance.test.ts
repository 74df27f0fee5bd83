/** The protocol's conformance suite against the real program over HTTP. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith } from "../e2e/folder.ts";
import { startHttp } from "../e2e/mcp-server.ts";
import { environment, onNode22 } from "./node-22.ts";
import { run } from "./run.ts";
import { withToken } from "./with-token.ts";

const suite = { name: "@modelcontextprotocol/conformance", version: "0.1.16", program: "conformance" };
const expected = fileURLToPath(new URL("conformance-expected-failures.yml", import.meta.url));

test(`the conformance suite ${suite.version} passes, except for checks that need the suite's own fixtures`, async ({
  skip,
}) => {
  const conformance = await onNode22(suite, skip);
  const folder = folderWith({ ".coxswain/docs/a.md": "# A\n\n## B\n" });
  const url = await withToken(await startHttp(folder));
  const ended = await run(
    [...conformance, "server", "--url", url, "--expected-failures", expected, "-o", join(folder, "out")],
    { cwd: folder, env: environment(join(folder, "home")), deadlineMs: 200_000 },
  );
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ exitCode: 0 });
  for (const scenario of [
    "server-initialize",
    "tools-list",
    "resources-subscribe",
    "dns-rebinding-protection",
  ])
    expect(ended.stdout).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
});
