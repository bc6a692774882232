import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { examineUrl } from './examine-url.ts';
import type { Policy } from './policy.ts';

const live: Policy = { allowHttp: false, allowLoopback: false };
const sandbox: Policy = { allowHttp: true, allowLoopback: true };
const isAllowed = (text: string, policy = live) => examineUrl(text, policy).isAllowed;

describe('a destination’s text', () => {
  for (const text of [
    'https://hooks.example.com/tonearm?key=1',
    'https://hooks.example.com:8443/',
    'https://xn--bcher-kva.example.com/',
    'https://bücher.example.com/',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
    'HTTPS://Hooks.Example.COM',
    'https://hooks.example.com/a@b',
    'https://internal.example.com/',
    'https://localhost.example.com/',
  ]) {
    test(`${text} is allowed`, () => assert.ok(isAllowed(text)));
  }

  const refused: readonly [text: string, because: RegExp][] = [
    ['', /URL/],
    ['hooks.example.com', /URL/],
    ['https:hooks.example.com', /URL/],
    ['https:///hooks.example.com', /URL/],
    ['//hooks.example.com', /URL/],
    ['https://', /URL/],
    ['http://hooks.example.com', /https/],
    ['ftp://hooks.example.com', /https/],
    ['file:///etc/passwd', /URL/],
    ['file://hooks.example.com/etc', /https/],
    ['javascript://hooks.example.com/%0aalert(1)', /https/],
    [`https://hooks.example.com/${'a'.repeat(2048)}`, /2048/],
    [`https://hooks.example.com/${'ü'.repeat(1000)}`, /2048/],
    ['https://user@hooks.example.com/', /user name/],
    ['https://user:secret@hooks.example.com/', /user name/],
    ['https://@hooks.example.com/', /user name/],
    ['https://hooks.example.com/#', /fragment/],
    ['https://hooks.example.com/#here', /fragment/],
    ['https://hooks.exa\nmple.com/', /line breaks/],
    [' https://hooks.example.com/', /spaces/],
    ['https://hooks.example.com\\@10.0.0.1/', /backslash/],
    ['https://hooks.example.com:22/', /Port 22/],
    ['https://hooks.example.com:25/', /Port 25/],
    ['https://hooks.example.com:0/', /Port 0/],
    ['https://hooks.example.com:6667/', /Port 6667/],
    ['https://hooks.example.com:65536/', /URL/],
    ['https://hooks/', /host name/],
    ['https://localhost/', /host name/],
    ['https://LOCALHOST/', /host name/],
    ['https://localhost./', /host name/],
    ['https://a.localhost/', /host name/],
    ['https://ⓛocalhost/', /host name/],
    ['https://printer.local/', /host name/],
    ['https://metadata.google.internal/', /host name/],
    ['https://metadata.google.internal./', /host name/],
    ['https://router.home.arpa/', /host name/],
    ['https://hooks.example.com./', /host name/],
    ['https://[fe80::1%25eth0]/', /URL/],
    ['https://[fe80::1%eth0]/', /URL/],
    ['https://127.0.0.1/', /not public/],
    ['https://127.1/', /not public/],
    ['https://2130706433/', /not public/],
    ['https://017700000001/', /not public/],
    ['https://0x7f.0.0.0x1/', /not public/],
    ['https://127.0.0.1./', /not public/],
    ['https://１２７.０.０.１/', /not public/],
    ['https://127。0。0。1/', /not public/],
    ['https://%31%32%37.0.0.1/', /not public/],
    ['https://0/', /not public/],
    ['https://169.254.169.254/latest/meta-data/', /not public/],
    ['https://[::1]/', /not public/],
    ['https://[::ffff:10.0.0.1]/', /not public/],
    ['https://[64:ff9b::10.0.0.1]/', /not public/],
    ['https://256.0.0.1/', /URL/],
  ];
  for (const [text, because] of refused) {
    test(`${JSON.stringify(text.slice(0, 60))} is refused`, () => {
      const examined = examineUrl(text, live);
      assert.ok(!examined.isAllowed);
      assert.match(examined.refusal, because);
    });
  }

  test('http if it is allowed, and the loopback by name and by address', () => {
    for (const text of [
      'http://hooks.example.com/',
      'http://localhost:4010/in',
      'http://a.localhost/',
      'http://127.0.0.1:4010/',
      'http://[::1]:4010/',
    ]) {
      assert.ok(isAllowed(text, sandbox), text);
    }
    for (const text of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://a.internal/']) {
      assert.ok(!isAllowed(text, sandbox), text);
    }
  });

  test('every notation of a private IPv4 address is refused, and of a public one allowed', () => {
    const spell = (value: number, base: number) =>
      base === 10
        ? String(value)
        : base === 16
          ? `0x${value.toString(16)}`
          : `0${value.toString(8)}`;
    const spelling = fc.record({
      rest: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
      parts: fc.constantFrom(1, 2, 3, 4),
      bases: fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
    });
    const hostOf = (
      first: number,
      { rest, parts, bases }: { rest: number; parts: number; bases: number[] },
    ) => {
      const bytes = [first, rest >>> 16, (rest >>> 8) & 255, rest & 255];
      const tail = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
      const values = [...bytes.slice(0, parts - 1), tail];
      return values.map((value, index) => spell(value, bases[index] ?? 10)).join('.');
    };
    fc.assert(
      fc.property(fc.constantFrom(10, 127, 0, 224, 240, 255), spelling, (first, how) => {
        assert.ok(!isAllowed(`https://${hostOf(first, how)}/`));
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(8, 93, 151, 217), spelling, (first, how) => {
        assert.ok(isAllowed(`https://${hostOf(first, how)}/`));
      }),
    );
  });

  test('every text gets a verdict, and an allowed URL is short, secure and without credentials', () => {
    let allowed = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          fc.string({ unit: 'grapheme' }).map((text) => `https://${text}`),
        ),
        (text) => {
          const examined = examineUrl(text, live);
          if (!examined.isAllowed) return;
          allowed += 1;
          const { protocol, username, password, hash, href } = examined.url;
          assert.deepEqual([protocol, username, password, hash], ['https:', '', '', '']);
          assert.ok(href.length <= 2048);
        },
      ),
      { numRuns: 4_000 },
    );
    assert.ok(allowed > 30, `only ${allowed} were allowed`);
  });
});
