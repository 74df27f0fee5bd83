import { expect, test } from "vitest";
import { proxyFor } from "./proxy-for.ts";

const proxy = "http://proxy.corp:3128";

test.each([
  ["https://api.example.com/v1", { HTTPS_PROXY: proxy }, proxy],
  ["https://api.example.com/v1", { https_proxy: proxy, HTTPS_PROXY: "http://other:1" }, proxy],
  ["https://api.example.com/v1", { HTTPS_PROXY: "proxy.corp:3128" }, proxy],
  ["https://api.example.com/v1", { ALL_PROXY: proxy }, proxy],
  ["https://api.example.com/v1", { HTTP_PROXY: proxy }, undefined],
  ["http://models.corp/v1", { HTTP_PROXY: proxy }, proxy],
  ["https://api.example.com/v1", { HTTPS_PROXY: "" }, undefined],
  ["https://api.example.com/v1", {}, undefined],
  ["http://localhost:11434/v1", { HTTP_PROXY: proxy, ALL_PROXY: proxy }, undefined],
  ["http://127.0.0.1:1234/v1", { ALL_PROXY: proxy }, undefined],
  ["http://[::1]:1234/v1", { ALL_PROXY: proxy }, undefined],
] as const)("a request to %s with %j goes by the proxy %s", (url, environment, expected) => {
  expect(proxyFor(new URL(url), environment)).toBe(expected);
});

test.each([
  ["*", true],
  ["api.example.com", true],
  ["example.com", true],
  [".example.com", true],
  ["*.example.com", true],
  ["EXAMPLE.com", true],
  ["other.org, example.com", true],
  ["other.org example.com", true],
  ["api.example.com:443", true],
  ["api.example.com:8443", false],
  ["ample.com", false],
  ["xample.com", false],
  ["", false],
  [",", false],
] as const)("NO_PROXY=%j makes a request go directly: %s", (entries, isDirect) => {
  const environment = { HTTPS_PROXY: proxy, NO_PROXY: entries };
  expect(proxyFor(new URL("https://API.example.com/v1"), environment)).toBe(isDirect ? undefined : proxy);
});
