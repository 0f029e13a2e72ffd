import { errorsAsText } from '../boundary/library-values.js';

/** The members of a message part that may hold a file. */
const FILE_MEMBERS = new Set(['data', 'image', 'file']);

/** A replacer for `JSON.stringify` that leaves out the contents of files: judges read text, and binary data is not JSON. */
export function withoutFiles(this: unknown, key: string, value: unknown): unknown {
  if (!FILE_MEMBERS.has(key)) return value;
  const { type } = (this ?? {}) as { readonly type?: unknown };
  return typeof type === 'string' && /^(file|image|media|reasoning-file)/.test(type) ? undefined : value;
}

/** Like `withoutFiles`, and writes an `Error` as its text. */
export function plain(this: unknown, key: string, value: unknown): unknown {
  return errorsAsText(key, withoutFiles.call(this, key, value));
}
