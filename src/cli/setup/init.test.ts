import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../world/files/package-root.ts";
import { commands } from "../table/commands.ts";

test("the templates that the command line offers are those that there are", () => {
  const plan = commands.find(({ name }) => name === "init")?.options.find(({ name }) => name === "plan");
  const there = readdirSync(join(packageRoot(), "templates"));
  expect(plan?.oneOf?.map((name) => `${name}.md`).toSorted()).toEqual(there.toSorted());
});
