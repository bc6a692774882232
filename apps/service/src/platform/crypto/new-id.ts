import { randomFillSync } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { type NewId, toWire } from '../../kernel/ids.ts';

const counterMax = 0xfff;
const poolBytes = 8 * 512;

/**
 * UUIDv7 (RFC 9562 §6.2, method 1): milliseconds, then a 12-bit counter that starts at random in its
 * lower half each millisecond, then 62 random bits. Ids of one process are in order of creation.
 */
export function createIds(clock: Clock): NewId {
  const random = Buffer.alloc(poolBytes);
  let used = poolBytes;
  let lastMs = 0;
  let counter = 0;

  const take = (bytes: number): Buffer => {
    if (used + bytes > poolBytes) {
      randomFillSync(random);
      used = 0;
    }
    used += bytes;
    return random.subarray(used - bytes, used);
  };

  return (prefix) => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs || counter === counterMax) {
      // A full counter borrows the next millisecond, as the RFC allows.
      lastMs = Math.max(nowMs, counter === counterMax ? lastMs + 1 : nowMs);
      counter = take(2).readUInt16BE() & (counterMax >> 1);
    } else {
      counter++;
    }
    const tail = take(8);
    const time = lastMs.toString(16).padStart(12, '0');
    const middle = `7${counter.toString(16).padStart(3, '0')}`;
    const variant = ((tail.readUInt8(0) & 0x3f) | 0x80).toString(16);
    return toWire(prefix, `${time}${middle}${variant}${tail.toString('hex', 1)}`);
  };
}
