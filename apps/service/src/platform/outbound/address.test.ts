import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { blockListFor, isAllowed } from './address.ts';
import type { Policy } from './policy.ts';
import { specialRanges } from './special-ranges.ts';

const live: Policy = { allowHttp: false, allowLoopback: false };
const open: Policy = { allowHttp: true, allowLoopback: true };

const publicOnes = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450::5'];

// Own arithmetic, so that a fault of Node's list is detected.
const bitsOf = (address: string) => (isIP(address) === 6 ? 128n : 32n);

function numberOf(address: string): bigint {
  if (isIP(address) === 4) {
    return address.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
  }
  const [head = '', tail] = address.split('::');
  const words = (part: string) => (part === '' ? [] : part.split(':'));
  const [left, right] = [words(head), words(tail ?? '')];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce(
    (sum, word) => (sum << 16n) + BigInt(`0x${word}`),
    0n,
  );
}

function addressOf(number: bigint, bits: bigint): string {
  const size = bits === 32n ? 8n : 16n;
  const parts = Array.from({ length: Number(bits / size) }, (_, index) => {
    const shift = bits - size * BigInt(index + 1);
    return ((number >> shift) & ((1n << size) - 1n)).toString(bits === 32n ? 10 : 16);
  });
  return parts.join(bits === 32n ? '.' : ':');
}

const blocks = specialRanges.map(({ cidr, name, source }) => {
  const [network = '', prefix = ''] = cidr.split('/');
  const bits = bitsOf(network);
  const first = numberOf(network);
  const last = first + (1n << (bits - BigInt(prefix))) - 1n;
  return { cidr, name, source, bits, first, last };
});

const isSpecial = (number: bigint, bits: bigint) =>
  blocks.some((block) => block.bits === bits && block.first <= number && number <= block.last);

describe('addresses', () => {
  for (const { cidr, name, source, bits, first, last } of blocks) {
    test(`${cidr} (${name}, ${source}) is refused from its first to its last address, and not beside it`, () => {
      for (const inside of [first, (first + last) / 2n, last]) {
        assert.equal(isAllowed(addressOf(inside, bits), live), false, addressOf(inside, bits));
      }
      for (const beside of [first - 1n, last + 1n]) {
        if (beside < 0n || beside >= 1n << bits) continue;
        const address = addressOf(beside, bits);
        assert.equal(isAllowed(address, live), !isSpecial(beside, bits), address);
      }
    });
  }

  test('of random addresses exactly those outside of every range are allowed', () => {
    const number = fc.oneof(
      fc.record({ bits: fc.constant(32n), value: fc.bigInt(0n, (1n << 32n) - 1n) }),
      fc.record({ bits: fc.constant(128n), value: fc.bigInt(0n, (1n << 128n) - 1n) }),
      fc.record({ bits: fc.constant(128n), value: fc.bigInt(1n << 125n, (1n << 126n) - 1n) }),
      fc
        .record({ block: fc.constantFrom(...blocks), offset: fc.bigInt(0n, (1n << 128n) - 1n) })
        .map(({ block: { bits, first, last }, offset }) => ({
          bits,
          value: first + (offset % (last - first + 1n)),
        })),
    );
    let allowed = 0;
    fc.assert(
      fc.property(number, ({ bits, value }) => {
        const isOpen = isAllowed(addressOf(value, bits), live);
        if (isOpen) allowed += 1;
        assert.equal(isOpen, !isSpecial(value, bits));
      }),
      { numRuns: 3_000 },
    );
    assert.ok(allowed > 500, `only ${allowed} were allowed`);
  });

  test('the socket’s list allows public addresses, and refuses every reachable special one', () => {
    const list = blockListFor(live);
    for (const { bits, first, last, cidr } of blocks) {
      if (['::/3', '::ffff:0:0/96'].includes(cidr)) continue;
      const family = bits === 32n ? 'ipv4' : 'ipv6';
      for (const each of [first, last]) assert.ok(list?.check(addressOf(each, bits), family), cidr);
    }
    for (const address of publicOnes) {
      assert.equal(list?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'), false, address);
    }
    assert.ok(list?.check('::ffff:10.0.0.1', 'ipv6'));
    assert.equal(blockListFor(open), undefined);
  });

  for (const address of publicOnes) {
    test(`${address} is allowed`, () => assert.ok(isAllowed(address, live)));
  }

  for (const address of [
    '',
    'example.com',
    '127.1',
    '0x7f.1',
    '1.1.1.1%lo',
    'fe80::1%eth0',
    '::1%lo',
  ]) {
    test(`${address === '' ? 'an empty text' : address} is refused by every policy`, () => {
      assert.equal(isAllowed(address, live), false);
      assert.equal(isAllowed(address, open), false);
    });
  }

  test('a policy may allow loopback, and nothing else', () => {
    for (const address of ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']) {
      assert.ok(isAllowed(address, open), address);
    }
    for (const address of [
      '::ffff:127.0.0.1',
      '::7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::',
    ]) {
      assert.equal(isAllowed(address, open), false, address);
    }
    for (const { bits, first, last, name } of blocks.filter((block) => block.name !== 'loopback')) {
      assert.equal(isAllowed(addressOf(last, bits), open), false, name);
      assert.equal(isAllowed(addressOf(first, bits), open), false, name);
    }
  });
});
