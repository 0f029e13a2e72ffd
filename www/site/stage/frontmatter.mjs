/** The head of a page for VitePress. JSON is YAML. */
export function frontmatter(data) {
  const lines = Object.entries(data).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n`;
}
