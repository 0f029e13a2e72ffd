export class InputBuffer {
  constructor(bytes: Uint8Array);
}

export class OutputBuffer {
  constructor(capacity: number);
  toArray(): Uint8Array<ArrayBuffer>;
}
