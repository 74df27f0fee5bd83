import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bytePath } from "../files/byte-path.ts";
import { nodeFolderTrees } from "../folders/node-folder-trees.ts";
import { processTable, wasStartedWith } from "../processes/process-table.ts";
import { pause } from "../time/pause.ts";
import { holdsHere, sandboxes } from "./confine.ts";
import {
  reportDescriptor,
  type Sandbox,
  type SandboxedCommand,
  type SandboxRequest,
  withDescriptors,
} from "./sandbox.ts";
import { unshare } from "./unshare.ts";

let all: string;
let folder: string;

beforeAll(() => {
  all = realpathSync(mkdtempSync(join(tmpdir(), "cox-confine-")));
});

beforeEach(() => {
  folder = mkdtempSync(join(all, "one-"));
});

// Not in `afterEach`, which does not run after a skipped test. Layers contain folders that nobody may read.
afterAll(() => nodeFolderTrees.remove(bytePath(all)));

test.each<[string, Sandbox["wrap"]]>([
  ["is missing", () => undefined],
  ["does not exist", () => ({ argv: ["/nowhere/unshare"] })],
  [
    "confines nothing",
    ({ argv, folder }) => ({ argv: ["/bin/sh", "-c", 'echo held >&3; cd "$0"; exec "$@"', folder, ...argv] }),
  ],
  [
    "lets nothing be written",
    ({ confinement, ...rest }) => unshare.wrap({ ...rest, confinement: { ...confinement, writable: [] } }),
  ],
  ["says nothing", (request) => wrapped(['exec "$@" 3>/dev/null', "sh"], unshare.wrap(request))],
  ["cannot mount", (request) => wrapped(['exec "$@" 4</dev/null', "sh"], unshare.wrap(request))],
])("the check of sandboxes finds one that %s", (name, wrap) => {
  expect(holdsHere({ name, hasLayers: true, wrap })).toBe(false);
});

test("unshare confines, with layers, wherever namespaces can be made", (context) => {
  const probe = spawnSync("unshare", [
    ...["--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "true"],
  ]);
  if (probe.status !== 0) context.skip("this machine lets no user make namespaces");
  expect(holdsHere(unshare)).toBe(true);
});

describe.each(sandboxes.map((sandbox) => [sandbox.name, sandbox] as const))(
  "the sandbox %s",
  (name, sandbox) => {
    beforeEach((context) => {
      if (!holdsHere(sandbox)) context.skip(`${name} does not confine on this machine`);
    });

    test("lets a program write where it may, and nowhere else", () => {
      make("a/open", "home");
      const ended = run(
        sandbox,
        request("echo > a/out; echo > a/open/in; mkdir b; rmdir a/open; echo > /etc/x; :"),
      );
      expect(ended.told).toBe("held");
      expect([names(""), names("a"), names("a/open")]).toEqual([["a", "home"], ["open"], ["in"]]);
    });

    test("decides by the inner one of two nested folders", () => {
      make("a/open/shut/open", "a/shut");
      const script = "for f in . a a/shut a/open a/open/shut a/open/shut/open; do (echo > $f/new); done; :";
      const confinement = {
        readOnly: ["a/open/shut", "a/shut", "", "a"].map((path) => join(folder, path)),
        writable: ["a/open/shut/open", "a/open"].map((path) => join(folder, path)),
      };
      expect(run(sandbox, { ...request(script), confinement }).told).toBe("held");
      const all = ["", "a", "a/shut", "a/open", "a/open/shut", "a/open/shut/open"].map(names);
      expect(all).toEqual([["a"], ["open", "shut"], [], ["new", "shut"], ["open"], ["new"]]);
    });

    test.each([
      "two words ",
      "tab\there",
      "new\nline",
      "re\rturn",
      "back\\slash",
      "\\040",
      "#1",
      `"$x'`,
      "--",
      "käse",
    ])("allows and forbids folders whose name is %j", (odd) => {
      make(`${odd}/${odd}`);
      const confinement = { readOnly: [join(folder, odd)], writable: [join(folder, odd, odd)] };
      const script = 'cd "./$ODD"; (echo > out); echo > "./$ODD/in"';
      const environment = { ODD: odd, HOME: join(folder, odd) };
      const ended = run(sandbox, { ...request(script), environment, confinement });
      expect([ended.told, names(odd), names(`${odd}/${odd}`)]).toEqual(["held", [odd], ["in"]]);
    });

    test("protects single files, also by a link to one: not written, replaced or removed", () => {
      make("a/open");
      const file = (name: string) => join(folder, name);
      for (const name of ["a/plain", "far", "a/open/in"]) writeFileSync(file(name), "kept");
      symlinkSync("../far", file("a/link"));
      const confinement = { readOnly: ["a/plain", "a/link", "gone"].map(file), writable: [file("a")] };
      const script =
        "for f in a/plain a/link far; do (echo x >> $f); done; rm a/plain far; echo > a/new; mv a/new a/plain; echo x > a/open/in; :";
      const ended = run(sandbox, { ...request(script), confinement });
      expect([ended.told, ended.status]).toEqual(["held", 0]);
      const read = (name: string) => readFileSync(file(name), "utf8");
      expect(["a/plain", "far", "a/open/in"].map(read)).toEqual(["kept", "kept", "x\n"]);
    });

    test("leaves a home as it was, whatever is done to its folders", () => {
      make("home/.cache/guarded", "home/.config");
      writeFileSync(join(folder, "home/.config/kept"), "kept");
      const script =
        "cd home; mv .cache .cache.old; rm -rf .config; mkdir -p bin; echo > bin/git; ln -s /etc .x; :";
      const ended = run(sandbox, { ...request(script), environment: { HOME: join(folder, "home") } });
      expect(ended.told).toBe("held");
      expect([names("home"), names("home/.config")]).toEqual([[".cache", ".config"], ["kept"]]);
    });

    test("offers temporary files, which are gone afterwards", () => {
      const mark = `cox-mark-${Math.random()}`;
      const script = `echo one > /tmp/${mark} && echo two > /var/tmp/${mark} && cat /tmp/${mark} /var/tmp/${mark}`;
      expect(run(sandbox, request(script))).toMatchObject({ told: "held", stdout: "one\ntwo\n" });
      expect([`/tmp/${mark}`, `/var/tmp/${mark}`].filter((path) => existsSync(path))).toEqual([]);
    });

    test("offers devices that hold no data, and no others", () => {
      const script =
        "echo x > /dev/null && head -c 1 /dev/zero | wc -c && find /dev -type b; echo > /dev/shm/x; ls /dev/pts";
      const { told, stdout } = run(sandbox, request(script));
      expect([told, stdout]).toEqual(["held", "1\nptmx\n"]);
    });

    test("hides its own layers, which a program could copy without an end", () => {
      make("home");
      const layerFolder = mkdtempSync(join(folder, "layer-"));
      const wanted = {
        ...request(`find ${layerFolder} -mindepth 1 | wc -l`),
        environment: { HOME: folder },
        confinement: { readOnly: [], writable: [] },
        layerFolder,
      };
      expect(run(sandbox, wanted)).toMatchObject({ told: "held", status: 0, stdout: "0\n" });
    });

    test("keeps a mount in the home read-only, and the rest around it as elsewhere", (context) => {
      if (process.getuid?.() !== 0) context.skip("only root may mount something that others see");
      make("home/with/deep/mounted", "home/with/folder", "home/empty");
      for (const path of ["home/file", "home/with/folder/file", "home/with/deep/file"])
        writeFileSync(join(folder, path), "here");
      writeFileSync(join(folder, "home/large"), "x".repeat(2_000_000));
      symlinkSync("with/folder", join(folder, "home/link"));
      const point = join(folder, "home/with/deep/mounted");
      expect(spawnSync("mount", ["-t", "tmpfs", "none", point]).status).toBe(0);
      try {
        writeFileSync(join(point, "file"), "mounted");
        const shown =
          "cat file link/file with/deep/file with/deep/mounted/file; wc -c < large; (echo > with/deep/mounted/out)";
        const changes = sandbox.hasLayers
          ? "for at in . with with/folder with/deep empty; do echo more >> $at/file && cat $at/file; done"
          : ":";
        const ended = run(sandbox, {
          ...request(`cd ${folder}/home; ${shown}; ${changes}`),
          environment: { HOME: join(folder, "home") },
          confinement: { readOnly: [], writable: [] },
        });
        const seen = sandbox.hasLayers ? "heremore\nmore\nheremore\nheremore\nmore\n" : "";
        expect(ended).toMatchObject({ told: "held", stdout: `hereherehere${"mounted"}2000000\n${seen}` });
        expect(names("home/with/deep/mounted")).toEqual(["file"]);
        expect([names("home/with"), names("home/empty")]).toEqual([["deep", "folder"], []]);
        for (const path of ["home/file", "home/with/folder/file", "home/with/deep/file"])
          expect(readFileSync(join(folder, path), "utf8")).toBe("here");
      } finally {
        spawnSync("umount", ["--lazy", point]);
      }
    });

    test("starts even if a folder of a busy temporary place disappears meanwhile", (context) => {
      if (process.getuid?.() !== 0) context.skip("only root may mount something that others see");
      make("home", "passing/mounted", "passing/goes", "a/open");
      const point = join(folder, "passing/mounted");
      expect(spawnSync("mount", ["-t", "tmpfs", "none", point]).status).toBe(0);
      try {
        const environment = { HOME: join(folder, "home"), TMPDIR: join(folder, "passing") };
        const command = sandbox.wrap({ ...request("echo > $TMPDIR/new && echo > a/open/in"), environment });
        rmSync(join(folder, "passing/goes"), { recursive: true });
        expect(start(command, environment)).toMatchObject({ told: "held", status: 0 });
        expect([names("passing"), names("a/open")]).toEqual([["mounted"], ["in"]]);
      } finally {
        spawnSync("umount", ["--lazy", point]);
      }
    });

    test("does not let a program mount a writable /proc or /sys", (context) => {
      if (process.getuid?.() !== 0) context.skip("only root may write there at all");
      make("a/open");
      const tries = ["proc", "sysfs"].map(
        (kind) =>
          `unshare --user --map-root-user --mount --net --pid --fork sh -c 'mount -t ${kind} none a/open'; echo $?`,
      );
      const { told, stdout } = run(sandbox, request(`cd ${folder}; ${tries.join("; ")}`));
      expect([told, stdout]).toEqual(["held", expect.not.stringMatching(/^0$/m)]);
    });

    test("lets a program reach nobody outside through a socket in the home", async (context) => {
      if (!sandbox.hasLayers) context.skip("without layers sockets of the home can be reached");
      make("home");
      const path = join(folder, "home/socket");
      const server = createServer().listen(path);
      await new Promise((resolve) => server.once("listening", resolve));
      const connect = `require("net").connect(${JSON.stringify(path)}).on("connect", () => { console.log("connected"); process.exit() }).on("error", (e) => console.log(e.code))`;
      const environment = { HOME: join(folder, "home") };
      const argv = [process.execPath, "-e", connect] as const;
      const confinement = { readOnly: [], writable: [] };
      const ended = run(sandbox, { ...request(""), argv, environment, confinement });
      server.close();
      expect(ended.stdout).toBe("ECONNREFUSED\n");
    });

    test("ends when the process that started it is killed", async () => {
      const mark = `COX_TEST=${Math.random()}`;
      const command = wrapped(
        ['"$@" 3>&1; :', "sh"],
        sandbox.wrap(request("setsid sleep 1000 & sleep 1001")),
      );
      const parent = withDescriptors(command, ([, ...more]) =>
        spawn(command.argv[0], command.argv.slice(1), {
          cwd: "/",
          env: { PATH: "/usr/bin:/bin", COX_TEST: mark.slice(9) },
          stdio: ["ignore", "pipe", "ignore", "ignore", ...more],
        }),
      );
      const marked = () => processTable().filter((row) => !row.isZombie && wasStartedWith(row.pid, mark));
      await new Promise((resolve) => parent.stdout?.once("data", resolve));
      expect(marked().length).toBeGreaterThan(2);
      parent.kill("SIGKILL");
      while (marked().length > 0) await pause(5);
    });
  },
);

describe("the sandbox unshare", () => {
  beforeEach((context) => {
    if (!holdsHere(unshare)) context.skip("unshare does not confine on this machine");
    make("a/open");
  });

  test("starts nothing when a place cannot be mounted, and says which", () => {
    const command = unshare.wrap(request("exit 7"));
    rmSync(join(folder, "a"), { recursive: true });
    const ended = start(command);
    expect(ended).toMatchObject({ told: "", status: 126 });
    expect(ended.stderr).toContain("a/open");
  });

  test.each(["remount,bind,ro", "rbind"])("starts nothing when one %s of many fails", (options) => {
    const command = unshare.wrap(request("exit 7"));
    const mounts = `/nowhere /nowhere none ${options}\n${command?.mounts}`;
    expect(start(command && { ...command, mounts })).toMatchObject({ told: "", status: 126 });
    expect(start(command)).toMatchObject({ told: "held", status: 7 });
  });
});

function request(script: string): SandboxRequest {
  const layerFolder = mkdtempSync(join(all, "layer-"));
  return {
    argv: ["/bin/sh", "-c", script],
    folder,
    environment: {},
    confinement: { readOnly: [folder], writable: [join(folder, "a/open")] },
    layerFolder,
  };
}

/** Wraps the command in a shell, with `script` as its script and name. */
function wrapped(script: readonly string[], command: SandboxedCommand | undefined): SandboxedCommand {
  return { ...command, argv: ["/bin/sh", "-c", ...script, ...(command?.argv ?? ["/nowhere"])] };
}

/** Retries when the sandbox was refused, as `startProgram` does: other tests mount and unmount things meanwhile. */
function run(sandbox: Sandbox, wanted: SandboxRequest) {
  let ended = start(sandbox.wrap(wanted), wanted.environment);
  for (let again = 0; ended.told === "" && again < 5; again += 1)
    ended = start(sandbox.wrap(wanted), wanted.environment);
  return ended;
}

function start(command: SandboxedCommand | undefined, env: Readonly<Record<string, string>> = {}) {
  const [program, ...args] = command?.argv ?? ["/nowhere"];
  const ended = withDescriptors(command ?? { argv: ["/nowhere"] }, (descriptors) =>
    spawnSync(program, args, {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", ...env },
      stdio: ["ignore", "pipe", "pipe", ...descriptors],
    }),
  );
  return {
    told: ended.output[reportDescriptor]?.toString().trim(),
    status: ended.status,
    stdout: ended.stdout.toString(),
    stderr: ended.stderr.toString(),
  };
}

function make(...paths: string[]): void {
  for (const path of paths) mkdirSync(join(folder, path), { recursive: true });
}

function names(path: string): string[] {
  return readdirSync(join(folder, path)).sort();
}
