/**
 * Given to the edge entry in place of the global of this name. At the top level of a worker, where tools are best
 * compiled, Cloudflare forbids random values of the Web Crypto API. The core wants some for the order of its hash maps,
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
