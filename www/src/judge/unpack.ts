import { Decoder } from 'lzma1/decoder';
import { InputBuffer, OutputBuffer } from 'lzma1/streams';

/** The bytes that were compressed with LZMA, of which `base64` is the text. */
export function unpack(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const packed = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) packed[index] = binary.charCodeAt(index);
  const output = new OutputBuffer(packed.length * 4);
  new Decoder().decompress(new InputBuffer(packed), output);
  return output.toArray();
}
