/** The bytes of toolgauge_bg.wasm in base64, as esbuild's loader of that name embeds them. */
declare module '#wasm' {
  const base64: string;
  export default base64;
}

/** The module itself, as edge runtimes compile it when a worker is deployed. */
declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
