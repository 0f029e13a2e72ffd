// Given to every file built for Node in place of the globals of these names: Jest's jsdom environment has none.
export { TextDecoder, TextEncoder } from 'node:util';
