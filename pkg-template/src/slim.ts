/**
 * What the slim build of the core can do: judge one trajectory. Each function is the one of the same name in the
 * package; what is not exported here, that build does not have. Of traces it tells the format but does not read them: that
 * throws `unknown_format`.
 */
export { checkTrajectories } from './check.js';
export { ToolgaugeError } from './errors.js';
export { importExpectations } from './expectations.js';
export { detectFormat, importTrajectories } from './formats.js';
export { scoreToolCalls } from './score.js';
export { repairToolCallSync } from './tool-call-check.js';
export { CompiledTools, compileTools } from './tools.js';
export { findUnsupportedFacts, summarizeResultVerification } from './verify.js';
export { version } from './version.js';
