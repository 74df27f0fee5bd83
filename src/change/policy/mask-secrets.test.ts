import { expect, test } from "vitest";
import { SecretMask } from "./mask-secrets.ts";

test.each([
  ["key is AKIAIOSFODNN7EXAMPLE.", "key is [an AWS access key]."],
  [`{"k":"sk-ant-api03-${"A1b2".repeat(10)}"}`, '{"k":"[an API key (sk-…)]"}'],
  [`ghp_${"a".repeat(36)} ghp_${"b".repeat(36)}`, "[a GitHub token] [a GitHub token]"],
  ["sk-loading-indicator-large stays", "sk-loading-indicator-large stays"],
  [
    "-----BEGIN RSA PRIVATE KEY-----\\nMIIE-x\\n-----END RSA PRIVATE KEY----- and on",
    "[a private key] and on",
  ],
])("%s", (line, masked) => {
  expect(new SecretMask().masked(line)).toBe(masked);
});

test("a private key of several lines is masked to its last", () => {
  const mask = new SecretMask();
  const lines = [
    "see:",
    "-----BEGIN PRIVATE KEY-----",
    "MIIEvQIBADANBg",
    "kqhkiG9w0BAQ",
    "-----END PRIVATE KEY-----",
    "that was it",
  ];
  expect(lines.map((line) => mask.masked(line))).toEqual([
    "see:",
    "[a private key]",
    "[a private key]",
    "[a private key]",
    "-----END PRIVATE KEY-----",
    "that was it",
  ]);
});

test("a private key without an end hides no more lines than the longest key has", () => {
  const mask = new SecretMask();
  mask.masked("-----BEGIN PRIVATE KEY-----");
  const lines = Array.from({ length: 400 }, () => mask.masked("words"));
  expect(lines.filter((line) => line === "words")).toHaveLength(100);
});

test("a megabyte of key headers without an end is masked as one key", () => {
  const text = "-----BEGIN PRIVATE KEY".repeat(50_000);
  expect(new SecretMask().masked(text).slice(0, 100)).toBe("[a private key]");
});
