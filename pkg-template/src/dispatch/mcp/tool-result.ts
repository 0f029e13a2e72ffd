import { ToolCallFailure } from '../toolkit.js';
import { isJsonObject, type JsonObject } from './json.js';

/**
 * The output of a call: the structured content if there is one, else the text if there is nothing else, else the list
 * of contents, without binary data. Null if the result is empty. Text that holds a JSON object or array is parsed.
 *
 * Throws a {@link ToolCallFailure} if the result is an error: with its text, or with `failed` if it has none.
 */
export function outputOf(result: unknown, failed: string): unknown {
  if (!isJsonObject(result)) throw new ToolCallFailure(`${failed}: the server sent no result`);
  const content: unknown[] = Array.isArray(result.content) ? result.content : [];
  if (result.isError === true) throw new ToolCallFailure(errorText(result, content) || failed);
  if (isJsonObject(result.structuredContent)) return result.structuredContent;
  // Protocol versions of 2024 had this in place of content.
  if (result.content === undefined && 'toolResult' in result) return result.toolResult;
  if (content.length === 0) return null;
  const only = content.length === 1 ? textOf(content[0]) : undefined;
  return only === undefined ? content.map(withoutData) : parsedIfJson(only);
}

function errorText({ structuredContent }: JsonObject, content: readonly unknown[]): string {
  const texts = content.flatMap(item => textOf(item) ?? []);
  if (texts.length > 0) return texts.join('\n');
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent);
}

function textOf(item: unknown): string | undefined {
  return isJsonObject(item) && item.type === 'text' && typeof item.text === 'string' ? item.text : undefined;
}

/** JSON that is neither object nor array stays text: `007` is no number, and `null` may be a word. */
function parsedIfJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The content with a note in place of an image, audio or file, which no model can read as text. */
function withoutData(item: unknown): unknown {
  if (!isJsonObject(item)) return item;
  if (typeof item.data === 'string') return { ...item, data: noteOf(item.data, item.mimeType) };
  if (!isJsonObject(item.resource) || typeof item.resource.blob !== 'string') return item;
  const { resource } = item;
  return { ...item, resource: { ...resource, blob: noteOf(item.resource.blob, resource.mimeType) } };
}

function noteOf(base64: string, mimeType: unknown): string {
  const padding = /={0,2}$/.exec(base64)?.[0].length ?? 0;
  const bytes = Math.floor((base64.length * 3) / 4) - padding;
  return `[${typeof mimeType === 'string' ? mimeType : 'binary data'}, ${bytes} bytes, left out]`;
}
