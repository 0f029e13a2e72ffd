export { evalLines } from './eval.js';
export { type Archive, ArchiveError, isZip } from './zip.js';
