/**
 * Real-world tools at a desk in every sandbox of this machine: they build and test there without the network, and find
 * a cache to write to. With layers, nothing of it stays in the home.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { processesWithLayers } from "../../src/world/processes/node-processes.ts";
import { holdsHere, sandboxes } from "../../src/world/sandbox/confine.ts";
import { packageCaches } from "../../src/world/sandbox/package-caches.ts";
import type { Sandbox } from "../../src/world/sandbox/sandbox.ts";

interface Tool {
  /** The name of the program. */
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly script: string;
  /** The file that it leaves at the desk. */
  readonly makes: string;
}

const dependency = {
  "dep/package.json": '{ "name": "dep", "version": "1.0.0", "main": "index.js" }',
  "dep/index.js": "module.exports = 42;",
};
const nodePackage = {
  ...dependency,
  "package.json":
    '{ "name": "a", "version": "1.0.0", "scripts": { "test": "node -e \\"process.exit(require(\'dep\') - 42)\\"" } }',
};

const tools: readonly Tool[] = [
  {
    name: "npm",
    files: nodePackage,
    script: "npm pack ./dep && npm install --offline --no-audit ./dep-1.0.0.tgz && npm test",
    makes: "node_modules/dep/index.js",
  },
  {
    name: "pnpm",
    files: nodePackage,
    script: "npm pack ./dep && pnpm add --offline ./dep-1.0.0.tgz && pnpm test",
    makes: "node_modules/dep/index.js",
  },
  {
    name: "cargo",
    files: {
      "Cargo.toml": '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n',
      "src/lib.rs": "#[test]\nfn adds() {\n    assert_eq!(40 + 2, 42);\n}\n",
    },
    script: "cargo test --offline --quiet",
    makes: "Cargo.lock",
  },
  {
    name: "go",
    files: {
      "go.mod": "module a\n\ngo 1.18\n",
      "a_test.go": 'package a\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) { _ = t }\n',
    },
    script: "GOFLAGS=-mod=mod GOPROXY=off go test -c -o a.test . && ./a.test",
    makes: "a.test",
  },
  {
    name: "pip",
    files: {
      "wheel.py": `import zipfile
info = "dep-1.0.dist-info/"
with zipfile.ZipFile("dep-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("dep.py", "value = 42\\n")
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: dep\\nVersion: 1.0\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: a\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "RECORD", "dep.py,,\\n" + info + "METADATA,,\\n" + info + "WHEEL,,\\n" + info + "RECORD,,\\n")
`,
    },
    script:
      // By its own path, because the one in PATH may be a shim that tidies up the real home.
      'python=$(python3 -c "import sys; print(sys.executable)"); $python wheel.py && $python -m pip install --no-index --target site ./dep-1.0-py3-none-any.whl && PYTHONPATH=site $python -c "import dep"',
    makes: "site/dep.py",
  },
  {
    name: "gradle",
    files: {
      "settings.gradle": "rootProject.name = 'a'\n",
      "build.gradle": "tasks.register('make') { doLast { new File(projectDir, 'made').text = 'made' } }\n",
    },
    script: "gradle --offline --no-daemon --quiet make",
    makes: "made",
  },
];

const all = mkdtempSync(join(tmpdir(), "cox-e2e-"));
afterAll(() => rmSync(all, { recursive: true, force: true }));

describe.each(sandboxes.map((sandbox) => [sandbox.name, sandbox] as const))(
  "in the sandbox %s",
  (name, sandbox) => {
    test.for(tools.map((tool) => [tool.name, tool] as const))("%s works", async ([, tool], context) => {
      if (spawnSync("sh", ["-c", `command -v ${tool.name}`]).status !== 0)
        context.skip(`there is no ${tool.name} on this machine`);
      if (!holdsHere(sandbox)) context.skip(`${name} does not confine on this machine`);
      const { ended, desk, home } = await runAtDesk(tool, sandbox);
      const said = Buffer.concat([ended.stdout, ended.stderr]).toString("utf8");
      expect([ended.how, ended.isConfined], said).toEqual([{ kind: "exited", code: 0 }, true]);
      expect(existsSync(join(desk, tool.makes)), said).toBe(true);
      if (sandbox.hasLayers) expect(readdirSync(home)).toEqual([]);
    });
  },
);

async function runAtDesk({ name, files, script }: Tool, sandbox: Sandbox) {
  const root = mkdtempSync(join(all, `${name}-`));
  const [desk, home, scratch] = ["desk", "home", "scratch"].map((one) => join(root, one)) as [
    string,
    string,
    string,
  ];
  for (const folder of [desk, home, scratch]) mkdirSync(folder);
  // Without layers, only existing caches are made writable, so pretend that the tool was used before.
  if (!sandbox.hasLayers) for (const cache of packageCaches(home)) mkdirSync(cache, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(desk, path)), { recursive: true });
    writeFileSync(join(desk, path), text);
  }
  const { PATH = "", RUSTUP_HOME = join(homedir(), ".rustup") } = process.env;
  const running = processesWithLayers(join(root, "layers"), () => sandbox).start({
    argv: ["/bin/sh", "-c", script],
    folder: desk,
    environment: { PATH, HOME: home, TMPDIR: scratch, ...(existsSync(RUSTUP_HOME) && { RUSTUP_HOME }) },
    confinement: { writable: [desk, scratch], readOnly: [] },
    keepBytes: 100_000,
    bytesMax: 10_000_000,
    graceMs: 1000,
  });
  return { ended: await running.ended, desk, home };
}
