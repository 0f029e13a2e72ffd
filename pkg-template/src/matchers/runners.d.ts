// What the entries need of the test runners. Their own types are not installed here: the tests of the package compile
// and run the entries with the real ones.

declare module 'vitest' {
  export const expect: { extend(matchers: object): void };
  // biome-ignore lint/suspicious/noExplicitAny: as Vitest has it
  export interface Matchers<T = any> {}
}

declare module '@jest/globals' {
  export const expect: { extend(matchers: object): void };
}

declare module 'expect' {
  export interface Matchers<R extends void | Promise<void>, T = unknown> {}
  export interface AsymmetricMatchers {}
}

declare module 'bun:test' {
  export const expect: { extend(matchers: object): void };
  export interface Matchers<T = unknown> {}
  export interface AsymmetricMatchers {}
}
