/**
 * Where each agent program's sign-in is visible from outside: variables that hold a key, files that hold a credential.
 * We only check whether they exist and never read them. We do not ask the program either, because some write to the
 * user's home when asked. A sign-in not found this way may still exist, in a keychain: then the answer is `unknown`,
 * not no.
 */
export interface SignInSigns {
  readonly variables: readonly string[];
  readonly file: {
    /** The variable that names the folder; without it, `folder` below the home. */
    readonly variable: string;
    readonly folder: string;
    readonly name: string;
  };
}

const signs: Readonly<Record<string, SignInSigns>> = {
  "claude-code": {
    variables: [
      ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"],
    ],
    file: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", name: ".credentials.json" },
  },
  codex: {
    variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    file: { variable: "CODEX_HOME", folder: ".codex", name: "auth.json" },
  },
  gemini: {
    variables: [
      ...["GEMINI_API_KEY", "GOOGLE_API_KEY"],
      ...["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_VERTEXAI"],
    ],
    file: { variable: "GEMINI_CLI_HOME", folder: ".gemini", name: "oauth_creds.json" },
  },
  opencode: {
    variables: [],
    file: { variable: "XDG_DATA_HOME", folder: ".local/share", name: "opencode/auth.json" },
  },
};

export interface SignInLook {
  readonly environment: Readonly<Record<string, string | undefined>>;
  isFile(path: string): boolean;
}

/** `by`: how we know, in words. */
export type SignIn = { readonly state: "yes"; readonly by: string } | { readonly state: "unknown" };

export function signInOf(driver: string, { environment, isFile }: SignInLook): SignIn {
  const sign = Object.hasOwn(signs, driver) ? signs[driver] : undefined;
  if (!sign) return { state: "unknown" };
  const variable = sign.variables.find((name) => (environment[name] ?? "") !== "");
  if (variable !== undefined) return { state: "yes", by: `${variable} is set` };
  const { file } = sign;
  const folder = environment[file.variable] ?? `${environment.HOME ?? ""}/${file.folder}`;
  const path = `${folder}/${file.name}`;
  return path.startsWith("/") && isFile(path)
    ? { state: "yes", by: `${file.name} is there` }
    : { state: "unknown" };
}
