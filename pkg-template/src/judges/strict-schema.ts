/**
 * Whether structured output in its strict mode takes `schema`: each object in it must be closed and require all of its
 * members. OpenAI refuses a strict schema that is not so, and other servers follow.
 */
export function meetsStrictMode(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (type === 'object' || properties !== undefined) {
    const names = Object.keys(properties ?? {});
    const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
    if (additionalProperties !== false || !names.every(isRequired)) return false;
  }
  return Object.values(schema).every(meetsStrictMode);
}
