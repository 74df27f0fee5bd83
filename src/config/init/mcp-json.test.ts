import fc from "fast-check";
import { expect, test } from "vitest";
import { type McpProposal, mcpServer, proposeMcp } from "./mcp-json.ts";

const text = (proposal: McpProposal) => {
  if (!("text" in proposal)) throw new Error(JSON.stringify(proposal));
  return proposal.text;
};

test("if .mcp.json is missing or empty, one with our server alone is proposed", () => {
  for (const now of [undefined, "", "  \n"])
    expect(JSON.parse(text(proposeMcp(now)))).toEqual({ mcpServers: { coxswain: mcpServer } });
});

const entry = `"coxswain": {
      "command": "npx",
      "args": [
        "-y",
        "coxswain",
        "mcp"
      ]
    }`;

test.each([
  [
    "other servers",
    `{\n  "mcpServers": {\n    "a": { "command": "a" }\n  }\n}\n`,
    `{\n  "mcpServers": {\n    "a": { "command": "a" },\n    ${entry}\n  }\n}\n`,
  ],
  [
    "comments, and a comma behind the last",
    `{\n  // ours\n  "mcpServers": {\n    "a": { "command": "a" }, // keep\n  }, /* and */\n}\n`,
    `{\n  // ours\n  "mcpServers": {\n    "a": { "command": "a" }, // keep\n    ${entry}\n  }, /* and */\n}\n`,
  ],
  [
    "a comment behind the last",
    `{\n  "mcpServers": {\n    "a": {} // keep\n  }\n}\n`,
    `{\n  "mcpServers": {\n    "a": {}, // keep\n    ${entry}\n  }\n}\n`,
  ],
  ["no servers yet", `{\n  "mcpServers": {}\n}\n`, `{\n  "mcpServers": {\n    ${entry}\n  }\n}\n`],
  [
    "nothing but a comment",
    `{\n  "mcpServers": {\n    // none yet\n  }\n}\n`,
    `{\n  "mcpServers": {\n    // none yet\n    ${entry}\n  }\n}\n`,
  ],
  ["another key", `{\n  "x": 1\n}`, `{\n  "x": 1,\n  "mcpServers": {\n    ${entry}\n  }\n}`],
])("in an .mcp.json with %s our server is inserted, and the rest stays", (_what, now, after) => {
  expect(proposeMcp(now)).toEqual({ do: "add", text: after });
});

test.each([
  ["tabs", `{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}\n`, `\n\t\t"coxswain": {\n\t\t\t"command": "npx",`],
  [
    "four blanks",
    `{\n    "mcpServers": {\n        "a": {}\n    }\n}\n`,
    `\n        "coxswain": {\n            "command"`,
  ],
  ["a single line", `{"mcpServers":{"a":{}}}`, `{"mcpServers":{"a":{},\n    "coxswain": {\n      "command"`],
])("our entry in .mcp.json is indented as the file is: %s", (_what, now, part) => {
  const after = text(proposeMcp(now));
  expect(after).toContain(part);
  expect(JSON.parse(after).mcpServers).toEqual({ a: {}, coxswain: mcpServer });
});

test("our entry in .mcp.json has the file's line ends", () => {
  const after = text(proposeMcp(`{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n`));
  expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  expect(text(proposeMcp(`{\r\n  "a": 1\r\n}`)).replaceAll("\r\n", "")).not.toContain("\n");
});

test.each([
  JSON.stringify({ mcpServers: { coxswain: mcpServer } }),
  JSON.stringify({ mcpServers: { coxswain: { type: "stdio", ...mcpServer, env: {} } } }),
])("if .mcp.json has our server already, nothing is proposed: %s", (now) => {
  expect(proposeMcp(now)).toEqual({ do: "nothing" });
});

test.each([
  { command: "node", args: ["bin/cox.js", "mcp"] },
  { ...mcpServer, env: { A: "1" } },
  { ...mcpServer, args: [...mcpServer.args, "--tools", "tasks"] },
  { type: "http", url: "http://127.0.0.1:1/mcp" },
  "coxswain",
])("a different entry under our name in .mcp.json is shown, and replaced only on demand: %j", (other) => {
  const now = JSON.stringify({ mcpServers: { a: 1, coxswain: other, b: 2 } }, undefined, 2);
  const proposal = proposeMcp(now);
  expect(proposal).toMatchObject({ do: "replace" });
  expect(JSON.parse(text(proposal))).toEqual({ mcpServers: { a: 1, coxswain: mcpServer, b: 2 } });
});

test.each(["{", "[]", "null", "{a: 1}", `{"mcpServers": []}`, `{} {}`, `${"[".repeat(5000)}`, `{"a": "\n"}`])(
  "an .mcp.json of another shape is left as it is and reported: %j",
  (now) => {
    expect(proposeMcp(now)).toMatchObject({ problem: { code: "MCP_JSON_UNREADABLE" } });
  },
);

test("whatever .mcp.json holds, the proposed text differs only by our entry, and needs no second one", () => {
  const servers = fc.dictionary(fc.string(), fc.jsonValue());
  const files = fc.record({ mcpServers: servers, other: fc.jsonValue() }, { requiredKeys: [] });
  fc.assert(
    fc.property(files, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const now = JSON.stringify(value, undefined, indent);
      const proposal = proposeMcp(now);
      if (!("text" in proposal)) return;
      const after = JSON.parse(proposal.text);
      expect(after.mcpServers.coxswain).toEqual(mcpServer);
      const before = JSON.parse(now);
      expect(after).toEqual({ ...before, mcpServers: { ...before.mcpServers, coxswain: mcpServer } });
      expect(proposeMcp(proposal.text)).toEqual({ do: "nothing" });
    }),
  );
});
