import { expect, test } from "vitest";
import { cleanEnvironment } from "./clean-environment.ts";

const harmless = {
  PATH: "/usr/bin:/bin",
  HOME: "/srv/ann",
  LANG: "de_DE.UTF-8",
  LC_ALL: "C",
  LC_TIME: "C",
  TMPDIR: "/var/tmp",
  TZ: "UTC",
  USER: "ann",
  SHELL: "/bin/zsh",
};

test("a clean environment keeps harmless variables, and the terminal is a dumb one", () => {
  expect(cleanEnvironment({ ...harmless, TERM: "xterm" })).toEqual({ ...harmless, TERM: "dumb" });
});

test.each([
  ...["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "NPM_TOKEN", "SSH_AUTH_SOCK", "npm_config_registry"].map(
    (name) => ["PROC-16", name],
  ),
  ...["NODE_OPTIONS", "LD_PRELOAD", "GIT_DIR", "GIT_SSH_COMMAND", "BASH_ENV", "ENV", "PERL5OPT", "LC_x"].map(
    (name) => ["PROC-17", name],
  ),
  ["names are told apart by case", "path"],
  ["what every object has is no name", "constructor"],
])("%s: a clean environment drops %s", (_, name) => {
  expect(cleanEnvironment({ ...harmless, [name]: "/x" })).toEqual({ ...harmless, TERM: "dumb" });
});

test("a clean environment passes a variable that a person allowed, and only that one", () => {
  const parent = { ...harmless, MODEL_KEY: "k", MODEL_KEY_2: "l" };
  expect(cleanEnvironment(parent, { pass: ["MODEL_KEY", "MISSING"] })).toEqual({
    ...harmless,
    TERM: "dumb",
    MODEL_KEY: "k",
  });
});

test.each([
  [".:/usr/bin::bin:/bin:", "/usr/bin:/bin"],
  ["./node_modules/.bin:../x:~/bin:/opt/a b", "/opt/a b"],
  [".", "/usr/local/bin:/usr/bin:/bin"],
  ["", "/usr/local/bin:/usr/bin:/bin"],
  [undefined, "/usr/local/bin:/usr/bin:/bin"],
])("PROC-17: a clean environment keeps the absolute parts of the PATH %j", (path, expected) => {
  expect(cleanEnvironment({ PATH: path }).PATH).toBe(expected);
  expect(cleanEnvironment({ PATH: path }, { pass: ["PATH"] }).PATH).toBe(expected);
});

test("a HOME that is no absolute path is dropped", () => {
  expect(cleanEnvironment({ PATH: "/bin", HOME: "home", TMPDIR: "", SHELL: "sh" })).toEqual({
    PATH: "/bin",
    TERM: "dumb",
  });
});
