/**
 * Replaces the Web Crypto API in the edge entry. Cloudflare forbids random values at the top level of a worker, which is
 * the best place to compile tools. The core uses them only to seed its hash maps, so that no input can predict their
 * order. `Math.random` is good enough for that.
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
 * Replaces `WebAssembly.Module` in the edge entry, where the glue checks `module instanceof WebAssembly.Module`. Next.js
 * compiles the imported module in another realm than it runs the code in, so the real class would not recognize it.
 */
export const compiledModule: { [Symbol.hasInstance](): boolean } = { [Symbol.hasInstance]: () => true };
