import { jsonSchema } from 'ai';
import { type SchemaIssue, ToolgaugeError, validateSchema } from 'toolgauge';

/** The SDK has no CommonJS types from version 7 on: its ESM ones serve both. */
type Tool<Input, Output> = import('ai', { with: { 'resolution-mode': 'import' }}).Tool<Input, Output>;

/** An AI SDK tool whose `execute` may also be called by itself, with the input alone. */
export type ModelTool<Input, Output> = Tool<Input, Output> & {
  /** Runs the tool. Rejects with what the tool throws. `options`, which the SDK passes, are not read. */
  execute(input: Input, options?: unknown): Promise<Output>;
};

/** What a tool for a model consists of. */
interface Parts<Input, Output> {
  /** What the tool does and returns, for the model. */
  readonly description: string;
  /** The JSON Schema of its input. */
  readonly parameters: object;
  /** What the input should be, for errors. */
  readonly expected: string;
  readonly run: (input: Input) => Output | Promise<Output>;
}

type Validation<Input> = { success: true; value: Input } | { success: false; error: ToolgaugeError };

/** A tool for a model. Its input is checked against the schema: the SDK itself passes on whatever a model writes. */
export function modelTool<Input, Output>(parts: Parts<Input, Output>): ModelTool<Input, Output> {
  const { description, parameters, expected, run } = parts;
  const definition = { name: 'input', parameters };
  const validate = (value: unknown): Validation<Input> => {
    const { issues } = validateSchema({ arguments: value }, definition);
    return issues.length === 0
      ? { success: true, value: value as Input }
      : { success: false, error: refuse(issues, expected) };
  };
  // `tool` does nothing but infer types, which it can't for a type parameter.
  return {
    description,
    inputSchema: jsonSchema<Input>(parameters as Parameters<typeof jsonSchema>[0], { validate }),
    execute: async (input: Input): Promise<Output> => run(input),
  } as unknown as ModelTool<Input, Output>;
}

function refuse(issues: readonly SchemaIssue[], expected: string): ToolgaugeError {
  const message = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new ToolgaugeError('invalid_input', message, { path: issues[0]?.path || undefined, expected });
}
