import type { InputBuffer, OutputBuffer } from 'lzma1/streams';

export class Decoder {
  decompress(input: InputBuffer, output: OutputBuffer): void;
}
