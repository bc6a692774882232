/** Contents of other file types, which `file(1)` recognizes. */

import { crc32 } from 'node:zlib';

const stored = 0;

/** A ZIP of one stored entry, as a polyglot appends it to a picture. */
export function zipOf(name: string, body: Buffer): Buffer {
  const entry = Buffer.alloc(26);
  entry.writeUInt16LE(20, 0);
  entry.writeUInt16LE(stored, 4);
  entry.writeUInt32LE(crc32(body), 10);
  entry.writeUInt32LE(body.length, 14);
  entry.writeUInt32LE(body.length, 18);
  entry.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), entry, Buffer.from(name), body]);
  const central = Buffer.concat([
    Buffer.from('PK\u0001\u0002\u0014\0'),
    entry,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

export const html = Buffer.from('<!doctype html><html><script>alert(1)</script></html>\n');
export const php = Buffer.from('<?php system($_GET["c"]); ?>\n');
