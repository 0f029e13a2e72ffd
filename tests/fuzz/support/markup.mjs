import { pathToFileURL } from 'node:url';
import { requireReference } from './package.mjs';

const { SaxesParser } = requireReference('saxes');
const { parse } = await import(pathToFileURL(requireReference.resolve('parse5')));

/** The root element of an XML document as `{ name, attributes, children }`. Throws where it is not well-formed. */
export function readXml(text) {
  const parser = new SaxesParser();
  const open = [{ children: [] }];
  parser.on('error', error => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [] };
    open.at(-1).children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  return open[0].children[0];
}

/** The names of the elements and attributes of a page, and the values of those that load or run something. */
export function readHtml(text) {
  const found = { elements: new Set(), attributes: new Set(), targets: new Set(), comments: new Set() };
  collect(parse(text), found);
  return found;
}

function collect(node, found) {
  if (node.nodeName === '#comment') found.comments.add(node.data);
  if (node.tagName !== undefined) found.elements.add(node.tagName);
  for (const { name, value } of node.attrs ?? []) {
    found.attributes.add(`${node.tagName} ${name}`);
    if (['href', 'src', 'style', 'action'].includes(name)) found.targets.add(value);
  }
  // Scripts and styles hold text that is not shown.
  if (['script', 'style'].includes(node.tagName)) found.targets.add(node.childNodes.map(({ value }) => value).join(''));
  for (const child of [...(node.childNodes ?? []), ...(node.content ? [node.content] : [])]) collect(child, found);
}
