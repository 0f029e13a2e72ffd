/**
 * A script that exports `bytes` as text, each as the character of that code. The inspector has the WebAssembly module so:
 * compressed it is hardly larger than the module itself, and the page needs no connection for it.
 */
export function moduleText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1');
  return `export default "${text.replace(/["\\\n\r]/g, escaped)}";\n`;
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
