// Replaces the globals of the same names in scripts for Node, because Jest's jsdom environment does not define them.
export { TextDecoder, TextEncoder } from 'node:util';
