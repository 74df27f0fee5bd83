import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../world/files/package-root.ts";
import { commands } from "../table/commands.ts";

test("the command line offers exactly the templates that exist", () => {
  const plan = commands.find(({ name }) => name === "init")?.options.find(({ name }) => name === "plan");
  const there = readdirSync(join(packageRoot(), "templates"));
  expect(plan?.oneOf?.map((name) => `${name}.md`).toSorted()).toEqual(there.toSorted());
});
