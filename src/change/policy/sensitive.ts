/**
 * Files whose presence alone makes some program act: configuration of agents, editors, CI, hooks and package managers.
 * A person must have seen exactly what is written to them.
 *
 * Instructions to agents (AGENTS.md and the like) are included, because every later agent follows them. Makefiles and
 * source are not: they run when somebody runs the project, which verifying a change does anyway. Dockerfiles are: what
 * they build runs with the engine's privileges, and wherever the work is deployed.
 */
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { anywhereGlob } from "../glob.ts";
import { foldPath } from "../path.ts";

export function sensitivePath(path: string): Problem | undefined {
  const folded = foldPath(path);
  const kind = kinds.find(({ matches }) => matches(folded));
  if (!kind) return undefined;
  return {
    code: "PATH_SENSITIVE",
    message: `${quote(path)} ${kind.what}: only a person may let it change`,
    hint: "Leave it out unless the task is about it; a person is asked, and sees the exact content.",
    path: oneLine(path),
  };
}

/** A pattern without `/` is a file name anywhere; one ending in `/` is a folder anywhere. */
function kind(what: string, patterns: string) {
  return { what, matches: anywhereGlob(foldPath(patterns)) };
}

const kinds = [
  kind(
    "configures a coding agent",
    `
      .claude/ .claude.json .claude-plugin/ .mcp.json mcp.json .cursor/ .codex/ .gemini/ .amazonq/ .roo/
      .roomodes .kiro/ .windsurf/ .cline/ .continue/ .goose/ .opencode/ opencode.json opencode.jsonc
      .crush/ .crush.json crush.json .qwen/ .junie/ .augment/ .trae/ .factory/ .devin/ .agents/ .agent/
      .copilot/ .aider* .kilocode/ .openhands/
    `,
  ),
  kind(
    "gives orders to coding agents",
    `
      AGENTS.md AGENTS.override.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md .cursorrules
      .windsurfrules .clinerules .clinerules/ .roorules* .goosehints .rules
      .github/copilot-instructions.md .github/instructions/ .github/prompts/ .github/agents/
      .github/chatmodes/ .github/skills/
    `,
  ),
  kind(
    "configures an editor, which may run it on opening",
    `
      .vscode/ *.code-workspace .idea/ .zed/ .fleet/ .devcontainer/ .devcontainer.json .vs/
      *.sublime-project .exrc .vimrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .netbeans/
    `,
  ),
  kind(
    "configures CI, which runs it with secrets",
    `
      .github/workflows/ .github/actions/ .github/dependabot.yml .github/dependabot.yaml
      .github/CODEOWNERS CODEOWNERS .gitlab-ci.yml .gitlab-ci.yaml .gitlab-ci/ .gitlab/ci/
      .gitlab/CODEOWNERS .circleci/ Jenkinsfile Jenkinsfile.* *.jenkinsfile azure-pipelines*.yml
      azure-pipelines*.yaml .azure-pipelines/ .travis.yml appveyor.yml .appveyor.yml .buildkite/
      bitbucket-pipelines.yml .drone.yml .drone.star .woodpecker.yml .woodpecker/ .cirrus.yml
      .cirrus.star .semaphore/ .teamcity/ .tekton/ cloudbuild.yaml cloudbuild.yml buildspec.yml
      buildspec.yaml .forgejo/ .gitea/ .builds/ .build.yml .ci/ renovate.json renovate.json5 .renovaterc
      .renovaterc.json codemagic.yaml bitrise.yml netlify.toml vercel.json
    `,
  ),
  kind(
    "builds a container image, with the rights of the engine that builds it",
    `
      Dockerfile Dockerfile.* *.dockerfile Containerfile Containerfile.* *.containerfile
    `,
  ),
  kind(
    "is or configures a hook, which runs on commit",
    `
      .husky/ .huskyrc* .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml
      lefthook*.yml lefthook*.yaml lefthook*.toml lefthook*.json .lefthook*.yml .lefthook*.yaml
      .lefthook*.toml .lefthook/ .githooks/ .git-hooks/ .overcommit.yml .lintstagedrc*
      lint-staged.config.* .simple-git-hooks.* simple-git-hooks.* .captain-hook.json
    `,
  ),
  kind(
    "configures git, which may run programs for it",
    `
      .gitmodules .gitattributes .gitconfig .lfsconfig gitmod~* gitatt~*
    `,
  ),
  kind(
    "configures a package manager or tool version, which decides what code is fetched and run",
    `
      .npmrc .yarnrc .yarnrc.yml .yarn/ .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml .pnp.cjs .pnp.js
      .pnp.loader.mjs bunfig.toml binding.gyp .bundle/ .cargo/config .cargo/config.toml pip.conf .condarc
      sitecustomize.py usercustomize.py gradle/wrapper/ .mvn/ NuGet.config .config/dotnet-tools.json
      .tool-versions mise.toml .mise.toml .mise/ mise.local.toml .mise.local.toml .config/mise/
      .prototools
    `,
  ),
  kind(
    "is run by a shell when it starts",
    `
      .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .kshrc
      .config/fish/ .inputrc
    `,
  ),
];
