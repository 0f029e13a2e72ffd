// Of the package lzma1, which comes as sources that do not pass the checks of this project.

export function compress(bytes: Uint8Array, level: number): Uint8Array;
