import { reasonOf, ToolgaugeError } from './errors.js';

/**
 * A schema object that can say what it is in JSON Schema, as the Standard Schema project defines it.
 * Zod from 4.2, ArkType and Valibot (through its JSON Schema package) make such objects.
 */
export interface StandardJsonSchema {
  /** What the standard asks of schema objects. */
  readonly '~standard': {
    /** The name of the library, for errors. */
    readonly vendor: string;
    /** The functions that export JSON Schema. */
    readonly jsonSchema: {
      /** Returns the JSON Schema of what the schema accepts. */
      input(options: { readonly target: 'draft-2020-12' }): unknown;
    };
  };
}

/** A schema object with a method of its own for that, as Zod 4 has. */
export interface ExportsJsonSchema {
  /** Returns the JSON Schema of what the schema accepts (`input`) or gives (`output`). */
  toJSONSchema(options?: { readonly target?: 'draft-2020-12'; readonly io?: 'input' | 'output' }): unknown;
}

/** What `jsonSchema()` and `zodSchema()` of the AI SDK return. */
export interface AiSdkSchema {
  /** The JSON Schema, or a function or a promise that gives it. */
  readonly jsonSchema: unknown;
  /** Checks a value. Not called when the JSON Schema is taken. */
  readonly validate?: unknown;
}

/** A schema object of another library from which this package takes the JSON Schema. */
export type SchemaSource = StandardJsonSchema | ExportsJsonSchema | AiSdkSchema;

const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

/** True for schema objects of other libraries, also for those that turn out to have no JSON Schema. */
export function isSchemaSource(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return '~standard' in value || AI_SDK_SCHEMA in value || isCallable(value, 'toJSONSchema') || '_zod' in value;
}

/** How errors name a schema of `tool`: that of its results by its member, too. */
export function ownerOf(tool: string, member?: string): string {
  const owner = `tool ${JSON.stringify(tool)}`;
  return member === 'outputSchema' ? `${owner}, outputSchema` : owner;
}

/**
 * The JSON Schema that `source` describes for its input side.
 * Throws `invalid_schema`, naming `owner`, when it can't say.
 */
export function exportJsonSchema(source: object, owner: string): unknown {
  const schema = readJsonSchema(source, owner);
  if (typeof schema === 'boolean') return schema;
  if (typeof schema !== 'object' || schema === null) {
    throw invalidSchema(owner, `its JSON Schema is ${String(schema)}`, 'give an object');
  }
  if (isCallable(schema, 'then')) throw invalidSchema(owner, 'its JSON Schema is a promise', 'await it first');
  return schema;
}

/**
 * The schema that `make` returns, a function by which the AI SDK defers making it.
 * Throws `invalid_schema`, naming `owner`, when it returns none.
 */
export function resolveLazySchema(make: () => unknown, owner: string): unknown {
  const schema = callLazy(make, owner);
  if (isSchemaSource(schema) || typeof schema === 'boolean') return schema;
  if (typeof schema === 'object' && schema !== null && !isCallable(schema, 'then')) return schema;
  throw invalidSchema(owner, 'its schema is a function that returns no schema', 'give the schema itself');
}

function callLazy(make: () => unknown, owner: string): unknown {
  try {
    return make();
  } catch (cause) {
    const problem = `its schema is a function that throws (${reasonOf(cause)})`;
    throw invalidSchema(owner, problem, 'give the schema itself', cause);
  }
}

function readJsonSchema(source: object, owner: string): unknown {
  const read = findReader(source);
  if (read === undefined) throw withoutJsonSchema(source, owner);
  try {
    return read();
  } catch (cause) {
    const remedy = 'replace that part by a type that JSON has, or give JSON Schema';
    throw invalidSchema(owner, `its ${vendorOf(source)} schema has no JSON Schema (${reasonOf(cause)})`, remedy, cause);
  }
}

function findReader(source: object): (() => unknown) | undefined {
  if (AI_SDK_SCHEMA in source) return () => (source as Partial<AiSdkSchema>).jsonSchema;
  const standard = (source as Partial<StandardJsonSchema>)['~standard'];
  if (standard?.jsonSchema !== undefined) return () => standard.jsonSchema.input({ target: 'draft-2020-12' });
  if (isCallable(source, 'toJSONSchema')) {
    return () => (source as ExportsJsonSchema).toJSONSchema({ target: 'draft-2020-12', io: 'input' });
  }
  return undefined;
}

function withoutJsonSchema(source: object, owner: string): ToolgaugeError {
  const vendor = vendorOf(source);
  const remedy =
    vendor === 'zod'
      ? "pass z.toJSONSchema(schema, { io: 'input' }), or a schema of the full zod from 4.2 on"
      : 'pass the JSON Schema that the library exports';
  return invalidSchema(owner, `its ${vendor} schema does not export JSON Schema`, remedy);
}

function vendorOf(source: object): string {
  if (AI_SDK_SCHEMA in source) return 'AI SDK';
  const vendor = (source as { '~standard'?: { vendor?: unknown } })['~standard']?.vendor;
  if (typeof vendor === 'string') return vendor;
  return '_zod' in source ? 'zod' : 'custom';
}

function invalidSchema(owner: string, problem: string, remedy: string, cause?: unknown): ToolgaugeError {
  return new ToolgaugeError('invalid_schema', `${owner}: ${problem}; ${remedy}`, {
    expected: 'JSON Schema, or a schema object that exports it',
    ...(cause === undefined ? {} : { cause }),
  });
}

function isCallable(value: object, name: string): boolean {
  return typeof (value as Record<string, unknown>)[name] === 'function';
}
