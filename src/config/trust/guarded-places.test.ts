import { expect, test } from "vitest";
import { guardedPlaces } from "./guarded-places.ts";

const own = { state: "/h/.local/state/coxswain", cache: "/h/.cache/coxswain" };

test("our own folders, git's settings and what shells read are guarded", () => {
  const places = guardedPlaces({ HOME: "/h" }, own);
  expect(places).toEqual(
    expect.arrayContaining([
      own.state,
      own.cache,
      "/h/.gitconfig",
      "/h/.config/git",
      "/h/.bashrc",
      "/h/.zshenv",
    ]),
  );
});

test("guarded places are found where the environment says they are", () => {
  const environment = { HOME: "/h", XDG_CONFIG_HOME: "/c", GIT_CONFIG_GLOBAL: "/g/config", ZDOTDIR: "/z" };
  const places = guardedPlaces(environment, own);
  expect(places).toEqual(expect.arrayContaining(["/g/config", "/c/git", "/z/.zshrc"]));
  expect(places).not.toContain("/h/.config/git");
});

test("folders that agent programs and package managers need are not guarded, nor is a device or a relative path", () => {
  const places = guardedPlaces({ HOME: "/h", GIT_CONFIG_GLOBAL: "/dev/null", ENV: "sh.rc" }, own);
  for (const needed of [
    "/h",
    "/h/.config",
    "/h/.claude",
    "/h/.codex",
    "/h/.npm",
    "/h/.cache",
    "/h/.ssh",
    "/dev/null",
  ])
    expect(places).not.toContain(needed);
  expect(places.every((place) => place.startsWith("/h/"))).toBe(true);
  expect(guardedPlaces({}, own)).toEqual([own.state, own.cache]);
});
