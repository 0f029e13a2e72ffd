/** The bytes of toolgauge_bg.wasm in base64, as esbuild's loader of that name embeds them. */
declare module '#wasm' {
  const base64: string;
  export default base64;
}

/** The slim build of the core, as whoever bundles it brings it along. */
declare module '#slim-wasm' {
  export default function read(): Uint8Array<ArrayBuffer>;
}
