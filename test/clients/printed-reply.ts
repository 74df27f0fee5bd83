/** Operations as a model prints them, where it does not hand them in. */
export const create = (path: string, content: string) => ({
  operation: "create",
  file_path: path,
  description: "as the task says",
  content,
});

export const block = (json: string) => `Here it is.\n\`\`\`json\n${json}\n\`\`\`\n`;

export const proposes = (path: string, content: string) =>
  JSON.stringify({ file_operations: [create(path, content)] });
