import { withoutFiles } from './plain.js';

/**
 * The conversation so far as plain JSON, for judges. `system` is text, a message or a list of messages, depending on
 * the version of the SDK. Files are left out.
 */
export function toConversation(system: unknown, messages: readonly unknown[]): { [field: string]: unknown }[] {
  const instructions = typeof system === 'string' ? [{ role: 'system', content: system }] : [system ?? []].flat();
  return JSON.parse(JSON.stringify([...instructions, ...messages], withoutFiles));
}
