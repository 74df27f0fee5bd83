/** The demo's project and the replies applied to it: what real models write on a bad day. */

export const project: Readonly<Record<string, string>> = {
  "README.md": "# Greeter\n\nSays hello.\n",
  "src/greet.js": 'export function greet(name) {\n  return "Hello, " + name;\n}\n',
};

/** Chatter before and after, a fence inside a file's content, and an escape sequence that would clear the screen. */
export const goodReply = `Sure! I have **already created** all the files and every test passes. \u001b[2J\u001b[H

\`\`\`json
${reply("Greet in several languages", [
  {
    operation: "edit",
    file_path: "./src/greet.js",
    description: "Take the word from the language",
    edits: [
      { old_string: "greet(name) {", new_string: 'greet(name, language = "en") {' },
      { old_string: '"Hello, " + name', new_string: 'words[language] + ", " + name' },
    ],
  },
  {
    operation: "append",
    file_path: "src/greet.js",
    description: "Add the words themselves",
    content: '\nconst words = { en: "Hello", de: "Hallo", fr: "Bonjour" };\n',
  },
  {
    operation: "create",
    file_path: "docs/usage.md",
    description: "Show how it is called",
    content: '# Usage\n\n```js\ngreet("Ada", "fr"); // Bonjour, Ada\n```\n',
  },
])}
\`\`\`

Let me know if you need anything else! 🚀
`;

export const badReply = fenced(
  reply("Improve everything", [
    {
      operation: "create",
      file_path: "docs/notes.md",
      description: "This one alone would be fine",
      content: "# Notes\n",
    },
    {
      operation: "create",
      file_path: "../../.bashrc",
      description: "Helpful aliases for you",
      content: "alias ls=evil\n",
    },
    {
      operation: "create",
      file_path: ".git/hooks/post-checkout",
      description: "Set the project up",
      content: "#!/bin/sh\n",
    },
    {
      operation: "edit",
      file_path: "src/greet.js",
      description: "Fix the greeting here",
      edits: [{ old_string: 'return words[lang] + ", " + name;', new_string: 'return "Hi";' }],
    },
    {
      operation: "create",
      file_path: "README.md",
      description: "Rewrite the readme file",
      content: "# Better\n",
    },
  ]),
);

export const pagesCount = 400;

/** Large enough that there is time to kill it halfway. */
export const largeReply = fenced(
  reply(
    "Write the handbook",
    Array.from({ length: pagesCount }, (_, page) => ({
      operation: "create",
      file_path: `handbook/page-${String(page + 1).padStart(4, "0")}.md`,
      description: `Write page ${page + 1} of it`,
      content: `# Page ${page + 1}\n\n${"All work and no play makes for a dull handbook.\n".repeat(20)}`,
    })),
  ),
);

export const smallReply = fenced(
  reply("Say where the handbook is", [
    {
      operation: "append",
      file_path: "README.md",
      description: "Point to the handbook",
      content: "\nSee the handbook.\n",
    },
  ]),
);

function reply(summary: string, operations: readonly object[]): string {
  return JSON.stringify({ specialist_summary: summary, file_operations: operations }, null, 2);
}

function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\`\n`;
}
