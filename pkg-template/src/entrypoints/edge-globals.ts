/**
 * Given to the edge entry in place of the Web Crypto API. At the top level of a worker, where tools are best
 * compiled, Cloudflare forbids its random values. The core wants some for the order of its hash maps,
 * which no input must foresee: those of Math.random serve there.
 */
export const hashSeeds = {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): void {
    try {
      crypto.getRandomValues(bytes);
    } catch {
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(256 * Math.random());
    }
  },
};

/**
 * Given to the edge entry in place of WebAssembly.Module, which says of the imported module whether it is one: it
 * always is, but Next compiles it in another realm than it runs the code in.
 */
export const compiledModule: { [Symbol.hasInstance](): boolean } = { [Symbol.hasInstance]: () => true };
