/** Only what passed lands: a merge is a tree nobody has seen, so the verify commands run on it first. */
import { expect, test } from "vitest";
import { Crew, work } from "./crew.ts";

/** Passes while the total, if there is one, equals the price. */
const check = "[ ! -e total.txt ] || cmp price.txt total.txt || { echo the total is wrong; exit 1; }\n";

async function finished(tasks = "- [ ] total"): Promise<Crew> {
  const crew = new Crew({
    tasks,
    script: { total: [work("total.txt", "1\n")], price: [work("price.txt", "2\n")] },
    config: ['verify: "sh check.sh"'],
    files: { "price.txt": "1\n", "check.sh": check, "other.txt": "old\n" },
  });
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(0);
  return crew;
}

function commits(crew: Crew, path: string, text: string): void {
  crew.write({ [path]: text });
  crew.commitAll(`change ${path}`);
}

test("a merge that fails its verify commands is not landed: the output is shown and recorded, and nothing is changed", async () => {
  const crew = await finished();
  commits(crew, "price.txt", "2\n");
  const before = crew.git("rev-parse", "main");
  const shown = await crew.cox("land", "--dry-run");
  expect(shown.stderr).toContain("run on it first: sh check.sh");

  const refused = await crew.cox("land", "--yes");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/the total is wrong[\s\S]*LAND_UNVERIFIED[\s\S]*sh check\.sh: exit code 1/);
  expect(refused.stderr).toContain(`git merge ${crew.branch}`);
  expect(refused.stderr).toContain(`cox land ${crew.run} --unverified`);
  expect(crew.git("rev-parse", "main")).toBe(before);
  expect(crew.git("status", "--porcelain")).toBe("");
  expect(crew.events().at(-1)).toMatchObject({
    event: "verification_failed",
    data: { work: { of: "landing", onto: before } },
  });
  const document = JSON.parse((await crew.cox("land", "--yes", "--json")).stdout);
  expect(document).toMatchObject({
    ok: false,
    errors: [{ code: "LAND_UNVERIFIED", message: expect.stringContaining("the total is wrong") }],
  });
});

test("`cox land --unverified` lands a merge that fails, and neither the output nor the log calls it verified", async () => {
  const crew = await finished();
  commits(crew, "price.txt", "2\n");
  const landed = await crew.cox("land", "--yes", "--unverified");
  expect(landed).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("not verified, as you asked"),
  });
  expect(crew.read("total.txt")).toBe("1\n");
  expect(crew.eventsOf("landing_prepared")).toMatchObject([{ unverified: true }]);
  expect((await crew.cox("log")).stdout).toContain("although it was not verified");
});

test("a merge that passes is landed as verified, by evidence for its tree; commands that passed are not run again", async () => {
  const crew = await finished();
  commits(crew, "other.txt", "mine\n");
  crew.write({ "total.txt": "in the way\n" });
  expect((await crew.cox("land", "--yes")).stderr).toContain("LAND_IN_THE_WAY");
  expect(crew.eventsOf("verification_passed").map(({ work }) => work)).not.toContainEqual(
    expect.objectContaining({ of: "landing" }),
  );
  crew.git("clean", "-q", "-f", "total.txt");
  const landed = await crew.cox("land", "--yes");
  expect(landed.stderr).toContain("Verifying the result on your branch: sh check.sh");
  expect(landed.stdout).toMatch(/landed: main is at \w+, 1 file changed, verified\n/);
  const tree = crew.git("rev-parse", "main^{tree}");
  expect(crew.eventsOf("verification_passed").at(-1)).toMatchObject({ work: { of: "landing" }, tree });
  expect(crew.eventsOf("landing_prepared")).toMatchObject([{ tree }]);
  expect(crew.desks()).toEqual([]);
});

test("a fast-forward to a tree that passed runs no verify command again", async () => {
  const crew = await finished();
  const landed = JSON.parse((await crew.cox("land", "--yes", "--json")).stdout);
  expect(landed).toMatchObject({ ok: true, landed: { how: "fast-forward", verified: true } });
  expect(crew.eventsOf("verification_passed").map(({ work }) => work)).not.toContainEqual(
    expect.objectContaining({ of: "landing" }),
  );
});

test("a rollback after which the commands fail is not landed as verified, though it is a fast-forward", async () => {
  const crew = new Crew({
    tasks: "- [ ] a\n- [ ] b\n  - Verify: test -e b.txt",
    script: { a: [work("a.txt")], b: [work("b.txt")] },
    config: ['verify: "sh check.sh"', "land: never"],
    files: { "check.sh": "[ ! -e b.txt ] || [ -e a.txt ]\n" },
  });
  expect((await crew.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  const taken = await crew.cox("rollback", "a", "--yes");
  expect(taken).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ROLLBACK_UNVERIFIED") });
  expect((await crew.cox("land", "--dry-run")).stderr).toContain("fast-forward");
  const refused = await crew.cox("land", "--yes");
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("LAND_UNVERIFIED") });
  expect(crew.git("status", "--porcelain")).toBe("");
});

test("a landing without any verify command is not called verified", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [work("one.txt")] },
    config: ["audit: none"],
    files: { "a.txt": "old\n" },
  });
  const ran = await crew.cox("run", "plan.md", "--yes");
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
  const landed = await crew.cox("land", "--yes");
  expect(landed.stdout).toContain("not verified: the plan has no verify command");
});
