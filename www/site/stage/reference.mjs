import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, ReflectionKind } from 'typedoc';
import { ROOT } from './places.mjs';

const SITE = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCES = join(ROOT, 'pkg-template/src');
const MEMBERS = ReflectionKind.Property | ReflectionKind.Method | ReflectionKind.Accessor;

/**
 * The sources of what users import, by the name of the import. The package's manifest lists the imports, and the source
 * of `./dispatch/node` is `dispatch-node.ts`. `inline` exports what the main entry exports.
 */
function entries() {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'pkg-template/package.json'), 'utf8'));
  const imports = Object.keys(exports).filter(path => typeof exports[path] === 'object' && path !== './inline');
  return new Map(
    imports.map(path => {
      const source = path === '.' ? 'index' : path.slice('./'.length).replaceAll('/', '-');
      return [join(SOURCES, `${source}.ts`), path === '.' ? name : `${name}/${path.slice('./'.length)}`];
    }),
  );
}

/**
 * Writes the TypeScript reference as Markdown, a page for each export. Fails if an export, or a property or method of an
 * exported type, has no doc comment, or if a link in a comment leads nowhere. Gives the names of what users import.
 */
export async function writeReference(folder) {
  const names = entries();
  const app = await Application.bootstrapWithPlugins({
    options: join(SITE, 'typedoc.json'),
    entryPoints: [...names.keys()],
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const [source] = module.sources ?? [];
      const name = names.get(source?.fullFileName);
      if (name === undefined) throw new Error(`typedoc documents ${module.name}, which nobody can import`);
      module.name = name;
    }
    // Paths of sources say nothing to readers of the site.
    for (const reflection of Object.values(project.reflections)) delete reflection.sources;
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the sources of the package');
  app.validate(project);
  for (const item of undocumented(project)) app.logger.error(`${item.getFullName()} has no doc comment`);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('typedoc found the faults above');
  await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
  return [...names.values()];
}

/** The exports and their members that have no doc comment. An export again of another entry needs none. */
function undocumented(project) {
  const exports = project.getReflectionsByKind(ReflectionKind.Module).flatMap(({ children = [] }) => children);
  return [...exports, ...exports.flatMap(membersOf)].filter(
    item => item.kind !== ReflectionKind.Reference && !item.flags.isInherited && !isClear(item) && !hasDocs(item),
  );
}

/** The properties and methods of an exported type, also of objects inside it, but not of what its functions take and return. */
function membersOf({ kind, children = [], type }) {
  if (kind === ReflectionKind.Reference || kind === ReflectionKind.Variable) return [];
  const members = [...children.filter(child => child.kindOf(MEMBERS)), ...membersIn(type)];
  return members.flatMap(member => [member, ...(member.flags.isInherited ? [] : membersIn(member.type))]);
}

/** The members of the objects that a type consists of. */
function membersIn(type) {
  const inEach = types => types.flatMap(membersIn);
  const found = type?.visit({
    reflection: ({ declaration }) => membersOf(declaration),
    union: ({ types }) => inEach(types),
    intersection: ({ types }) => inEach(types),
    array: ({ elementType }) => membersIn(elementType),
    typeOperator: ({ target }) => membersIn(target),
    reference: ({ typeArguments = [] }) => inEach(typeArguments),
    conditional: ({ trueType, falseType }) => inEach([trueType, falseType]),
  });
  return found ?? [];
}

/** Whether the type of a property says all: one value, such as `type: 'tool_use'`, or that there is none. */
function isClear({ type }) {
  return type?.type === 'literal' || (type?.type === 'intrinsic' && ['never', 'undefined'].includes(type.name));
}

function hasDocs(item) {
  const documented = [item, item.getSignature, ...(item.signatures ?? [])];
  return documented.some(part => part?.hasComment());
}
