import { crc32, deflateRawSync } from 'node:zlib';

const [STORED, DEFLATED] = [0, 8];

/**
 * A ZIP archive of `files`, `[name, text]` in order. `change` may alter what its headers say of a file: `method`, `size`
 * and `flags`.
 */
export function zipOf(files, change = {}) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of files) {
    const content = Buffer.from(text);
    const packed = change.method === STORED ? content : deflateRawSync(content);
    const { method = DEFLATED, size = content.length, flags = 0 } = change;
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32?.(content) ?? 0, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(path.length, 22);
    const about = Buffer.alloc(14);
    about.writeUInt32LE(offset, 10);
    directory.push(mark('PK\x01\x02'), version(), common, about, path);
    parts.push(mark('PK\x03\x04'), common, path, packed);
    offset += 4 + common.length + path.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, mark('PK\x05\x06'), end]);
}

const mark = text => Buffer.from(text, 'latin1');

const version = () => Buffer.from([20, 0]);
