import type { Command, Option } from 'commander';
import { RULE_LEVELS } from 'toolgauge';
import { IGNORED_BY } from './options.js';

/** The part of JSON Schema that describes configuration files. */
export interface ConfigSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly additionalProperties?: boolean | ConfigSchema;
  readonly propertyNames?: ConfigSchema;
  readonly items?: ConfigSchema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/**
 * Options that say nothing about the work itself, and where conversations and the key of an API are sent: a file that is
 * only found may not say that.
 */
const NOT_CONFIGURED = new Set(['help', 'config', 'version', 'judgeUrl', 'watch']);

/** The command that writes a configuration file takes no options from one. */
const UNCONFIGURED = 'init';

/** The option of the command line that writes further reports; a file gives them by format. */
const REPORT = 'report';

/** The name under which a file gives the further reports. */
export const REPORTS = 'reports';

/** The option of the command line that rates issues; a file gives severities by type. */
const RULE = 'rule';

/** The name under which a file gives the severities. */
export const RULES = 'rules';

/** The name of the option that leaves findings out; a file gives a list of them. */
export const IGNORE = 'ignore';

/** The name of the option that asks for pass^k; a file gives rates by the number of trials. */
export const PASS_HAT = 'minPassHat';

/** The options that name what is written. */
const WRITTEN = new Set(['output', 'summary', REPORT]);

/** Whether an option names a file, or a folder, that is written. */
export function isWritten(option: Option): boolean {
  return WRITTEN.has(option.attributeName());
}

/** The name of an option in a configuration file. */
export function configKey(option: Option): string {
  const name = option.attributeName();
  if (name === RULE) return RULES;
  return name === REPORT ? REPORTS : name;
}

/** Whether a command takes options from a configuration file. */
export function isConfigured(command: Command): boolean {
  return command.name() !== UNCONFIGURED;
}

/** The options of a command that a configuration file may give. */
export function configurable(command: Command): readonly Option[] {
  return command.options.filter(option => !NOT_CONFIGURED.has(option.attributeName()));
}

/** The section of a command in a configuration file. */
export function sectionOf(command: Command): string {
  return command.name().replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The arguments of a command that a configuration file may give: those that may be left out. */
export function configurableArgument(command: Command): string | undefined {
  const [first] = command.registeredArguments;
  return first?.variadic && !first.required ? first.name() : undefined;
}

/** The JSON Schema of the configuration files of a program, made of the options of its commands. */
export function configSchema(program: Command): ConfigSchema {
  const configured = program.commands.filter(isConfigured);
  const sections = configured.map(command => [sectionOf(command), sectionSchema(command)] as const);
  const everywhere: Record<string, ConfigSchema> = {};
  for (const [, { properties = {} }] of sections) {
    for (const [name, schema] of Object.entries(properties)) {
      const known = everywhere[name];
      everywhere[name] = known === undefined ? schema : either(known, schema);
    }
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'toolgauge.config.json',
    description:
      'Options of the toolgauge command line: for all commands that have them, and for one command in its section. Flags go before. Paths are relative to the file.',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...everywhere, ...Object.fromEntries(sections) },
    additionalProperties: false,
  };
}

function sectionSchema(command: Command): ConfigSchema {
  const argument = configurableArgument(command);
  const [first] = command.registeredArguments;
  const inputs =
    argument === undefined
      ? {}
      : {
          [argument]: { description: first?.description ?? '', type: 'array', items: { type: 'string' }, minItems: 1 },
        };
  const options = configurable(command).map(option => [configKey(option), optionSchema(option)] as const);
  return {
    description: `Options of toolgauge ${command.name()}: ${command.summary()}.`,
    type: 'object',
    properties: { ...inputs, ...Object.fromEntries(options) },
    additionalProperties: false,
  };
}

/** What the name of an option's value says of it. */
const BY_VALUE: Readonly<Record<string, ConfigSchema>> = {
  score: { type: 'number', minimum: 0, maximum: 1 },
  count: { type: 'integer', minimum: 1, maximum: 64 },
  port: { type: 'integer', minimum: 0, maximum: 65535 },
  names: { type: ['array', 'string'], items: { type: 'string' } },
};

/** A finding to leave out. */
const IGNORED: ConfigSchema = {
  type: 'object',
  properties: Object.fromEntries(IGNORED_BY.map(name => [name, { type: 'string' }])),
  required: ['reason'],
  additionalProperties: false,
};

function optionSchema(option: Option): ConfigSchema {
  const { description, defaultValue, argChoices } = option;
  const isScalar = ['string', 'number', 'boolean'].includes(typeof defaultValue);
  const about = { description, ...(isScalar ? { default: defaultValue } : {}) };
  if (option.isBoolean() || option.negate) return { ...about, type: 'boolean' };
  if (configKey(option) === REPORTS) return { ...about, type: 'object', additionalProperties: { type: 'string' } };
  if (configKey(option) === RULES) return { ...about, type: 'object', additionalProperties: { enum: RULE_LEVELS } };
  if (configKey(option) === PASS_HAT) {
    return { ...about, type: 'object', additionalProperties: { type: 'number', minimum: 0, maximum: 1 } };
  }
  if (configKey(option) === IGNORE) return { ...about, type: 'array', items: IGNORED };
  if (argChoices !== undefined) return { ...about, enum: argChoices };
  return { ...about, ...(BY_VALUE[valueName(option)] ?? { type: 'string' }) };
}

/** The name of the value that an option takes: `file` of `--tools <file>`. */
export function valueName({ flags }: Option): string {
  return /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? '';
}

/** The schema of an option that several commands have: what one of them takes. */
function either(one: ConfigSchema, other: ConfigSchema): ConfigSchema {
  if (one.enum === undefined || other.enum === undefined) return one;
  return { ...one, enum: [...new Set([...one.enum, ...other.enum])] };
}
