import { expect, test } from "vitest";
import { composeFile, isComposeFile } from "./compose-file.ts";

test("a compose file is known by its name", () => {
  const yes =
    "compose.yml compose.yaml docker-compose.yml a/docker-compose.prod.yaml compose.override.yml podman-compose.yml";
  for (const path of yes.split(" ")) expect([path, isComposeFile(path)]).toEqual([path, true]);
  const no = "compose.ts docs/compose.md decompose/a.yml values.yaml compose.yml.bak";
  for (const path of no.split(" ")) expect([path, isComposeFile(path)]).toEqual([path, false]);
});

const web = (lines: string) => `services:\n  web:\n    image: nginx\n${lines.replace(/^/gm, "    ")}\n`;

test.each([
  ["privileged", web("privileged: true")],
  ["in quotes", web('"privileged": "true"')],
  ["in another case", web("privileged: YES")],
  ["by a variable", web(`privileged: $${"{"}P:-true}`)],
  ["in flow style", "services: { web: { image: nginx, privileged: true } }"],
  ["with the letters written as escapes", 'services: { web: { "priv\\u0069leged": true } }'],
  ["by an alias", "x-all: &all\n  privileged: true\nservices:\n  web:\n    <<: *all\n"],
  ["in another document of the file", `${web("tty: true")}---\n${web("privileged: true")}`],
  ["the machine's processes", web("pid: host")],
  ["the machine's network", web('network_mode: "host"')],
  ["the engine's socket", web("volumes:\n  - /var/run/docker.sock:/var/run/docker.sock")],
  [
    "the engine's socket, long",
    web("volumes:\n  - type: bind\n    source: /run/podman/podman.sock\n    target: /s"),
  ],
  ["all files", web('volumes: ["/:/host:ro"]')],
  ["all files, long", web("volumes:\n  - { type: bind, source: /, target: /host }")],
  [
    "all files, as a volume's device",
    "volumes:\n  all:\n    driver_opts: { type: none, o: bind, device: / }\n",
  ],
  ["what is no YAML", "services: [\n"],
  [
    "aliases without end",
    `${[..."abcdefgh"].map((name, at) => `${name}: &${name} [${at === 0 ? "x" : `*${"abcdefgh"[at - 1]}, *${"abcdefgh"[at - 1]}, *${"abcdefgh"[at - 1]}, *${"abcdefgh"[at - 1]}`}]`).join("\n")}\n`,
  ],
])("a person is asked about a container that reaches into the machine: %s", (_what, text) => {
  expect(composeFile("compose.yml", text)).toMatchObject({
    code: "PATH_SENSITIVE",
    message: expect.stringContaining("compose.yml"),
  });
});

test.each([
  ["an ordinary one", web('ports: ["80:80"]\nvolumes:\n  - ./site:/usr/share/nginx/html:ro\n  - data:/data')],
  ["not privileged", web("privileged: false")],
  ["the word in a comment", web("# privileged: true")],
  ["a service of that name", "services:\n  host:\n    image: privileged\n    command: docker run\n"],
  ["a network of that name", web("networks: [host]")],
  ["nothing", ""],
])("a compose file needs no confirmation for %s", (_what, text) => {
  expect(composeFile("compose.yml", text)).toBeUndefined();
});
