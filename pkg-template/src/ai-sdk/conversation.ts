/**
 * The conversation so far as plain JSON, for judges. `system` is text, a message or a list of messages, depending on
 * the version of the SDK. Files are left out: judges read text, and binary data is not JSON.
 */
export function toConversation(system: unknown, messages: readonly unknown[]): { [field: string]: unknown }[] {
  const instructions = typeof system === 'string' ? [{ role: 'system', content: system }] : [system ?? []].flat();
  return JSON.parse(JSON.stringify([...instructions, ...messages], withoutFiles));
}

/** The members of a message part that may hold a file. */
const FILE_MEMBERS = new Set(['data', 'image']);

function withoutFiles(this: { type?: unknown }, key: string, value: unknown): unknown {
  const inFile = FILE_MEMBERS.has(key) && typeof this.type === 'string' && /^(file|image|media)/.test(this.type);
  return inFile ? undefined : value;
}
