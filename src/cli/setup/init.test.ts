import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planTemplates } from "../../config/init/init.ts";
import { packageRoot } from "../../world/files/package-root.ts";
import { commands } from "../table/commands.ts";

test("the templates that the command line offers are those that there are", () => {
  const plan = commands.find(({ name }) => name === "init")?.options.find(({ name }) => name === "plan");
  expect(plan?.oneOf).toEqual(planTemplates);
  for (const name of planTemplates)
    expect(existsSync(join(packageRoot(), "templates", `${name}.md`))).toBe(true);
});
