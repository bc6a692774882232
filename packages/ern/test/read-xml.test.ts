import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { diag } from 'libxml2-wasm';
import { defaultXmlLimits, readXml } from '../src/read/read-xml.ts';
import { XmlRefused } from '../src/read/xml-refused.ts';
import { childOf, childrenOf, xpathOf } from '../src/read/xml-tree.ts';
import { hostileCases } from './hostile-cases.ts';
import { wideCases } from './wide-cases.ts';

interface Measured {
  readonly name: string;
  readonly code: string;
  readonly ms: number;
  readonly grownMb: number;
}

describe('hostile XML', () => {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'hostile-child.ts')]);
  const measured = output
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);

  for (const [index, { name, code }] of hostileCases.entries()) {
    test(`${name} is refused as ${code} within 1 s and 100 MB`, () => {
      const result = measured[index];
      assert.equal(result?.name, name);
      assert.equal(result.code, code);
      assert.ok(result.ms < 1000, `took ${result.ms} ms`);
      assert.ok(result.grownMb < 100, `took ${result.grownMb} MB`);
    });
  }

  test('all of them together stay within 100 MB', () => {
    const grownMb = measured.reduce((sum, result) => sum + result.grownMb, 0);
    assert.ok(grownMb < 100, `took ${grownMb} MB`);
  });
});

describe('wide XML, as large as the limits allow', () => {
  for (const name of Object.keys(wideCases)) {
    test(`${name}: read within 2 s and 100 MB`, () => {
      const child = join(import.meta.dirname, 'wide-child.ts');
      const output = execFileSync(process.execPath, [child, name]).toString();
      const { ms, grownMb } = JSON.parse(output) as Measured;
      assert.ok(ms < 2000, `took ${ms} ms`);
      assert.ok(grownMb < 100, `took ${grownMb} MB`);
    });
  }

  test('one element more is refused', () => {
    const { tokensMax } = defaultXmlLimits;
    assert.equal(
      readXml(`<a>${'<b></b>'.repeat(tokensMax - 1)}</a>`).children.length,
      tokensMax - 1,
    );
    assert.throws(
      () => readXml(`<a>${'<b></b>'.repeat(tokensMax)}</a>`),
      (error) => error instanceof XmlRefused && error.code === 'xml_too_complex',
    );
  });
});

describe('reading XML', () => {
  test('processing instructions are skipped, wherever they are', () => {
    const root = readXml('<?x y?><a><?x y?><b>1</b><?x?><b><?x?>2</b><?x?></a><?x?>');
    assert.deepEqual(
      childrenOf(root, 'b').map(({ text }) => text),
      ['1', '2'],
    );
  });

  test('text, attributes, lines and places are kept', () => {
    const root = readXml(
      '\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<p:a xmlns:p="urn:x" xmlns:q="urn:q" b="1" q:c="2">\n<d>x</d><d> &lt;é🎵&#10; <![CDATA[<y>]]><!-- no --></d><e/></p:a>',
    );
    assert.equal(root.namespace, 'urn:x');
    assert.deepEqual([...root.attributes], [['b', '1']]);
    const [, second] = childrenOf(root, 'd');
    assert.ok(second);
    assert.equal(second.text, ' <é🎵\n <y>');
    assert.equal(second.line, 3);
    assert.equal(xpathOf(second), '/p:a/d[2]');
    assert.equal(xpathOf(childOf(root, 'e')!), '/p:a/e');
  });

  test('a refusal names the line', () => {
    assert.throws(
      () => readXml('<a>\n<b>\n</c></a>'),
      (error) => error instanceof XmlRefused && error.line === 3 && /mismatch/.test(error.message),
    );
  });

  test('an XInclude is an element like any other', () => {
    const root = readXml(
      '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="/etc/passwd" parse="text"/></a>',
    );
    assert.equal(childOf(root, 'include')?.text, '');
  });

  test('every document is released, also a refused one', () => {
    diag.configure({ enabled: true });
    try {
      readXml('<a/>');
      assert.throws(() => readXml('<a><b></a>'), XmlRefused);
      assert.throws(() => readXml('<a>'.repeat(100) + '</a>'.repeat(100)), XmlRefused);
      assert.deepEqual(diag.report(), {});
    } finally {
      diag.configure({ enabled: false });
    }
  });
});
