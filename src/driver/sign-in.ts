/**
 * Where each agent program's sign-in shows from outside: variables that hold a key, files that hold a credential. Only
 * whether they are there is looked at, never what is in them; and no program is asked, because some write to the user's
 * home when they are. What is not found this way may be elsewhere, in a keychain: that is not known, and not denied.
 */
export interface SignInSigns {
  readonly variables: readonly string[];
  readonly file: {
    /** The variable that names its folder, and the folder below the home otherwise. */
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

/** `by`: what says so, in words. */
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
