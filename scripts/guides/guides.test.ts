import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ruleList } from '../../apps/service/src/catalog/domain/preflight/rules.ts';
import { problemCodes } from '../../apps/service/src/kernel/problem.ts';
import { scopes } from '../../apps/service/src/kernel/scope.ts';
import { includes } from './expand-includes.ts';
import { fixtureFolder, fixtureGroups, writeFixtureSite } from './fixture-site.ts';
import { slugOf } from './page.ts';
import { renderSite } from './render-site.ts';

const site = new Map(renderSite(fixtureFolder, fixtureGroups).map((file) => [file.path, file]));
const contentOf = (path: string): string => {
  const file = site.get(path);
  assert.ok(file !== undefined, path);
  return file.content;
};
const quickStart = contentOf('/docs/guides/quick-start');

/** The mistakes of a folder with only this page. */
function mistakesOf(text: string, slugs = ['one']): string {
  const path = mkdtempSync(join(tmpdir(), 'tonearm-guide-'));
  writeFileSync(join(path, 'one.md'), text);
  try {
    renderSite({ path, shownAs: 'guides' }, [{ title: 'Start', slugs }]);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(path, { recursive: true });
  }
}

const begin = '# One\n\nAbout one.\n';

describe('a guide as HTML', () => {
  test('links between guides, to an anchor, to the server, to an example and to another site', () => {
    for (const href of [
      'href="/docs/guides/errors#invalid_field"',
      'href="#in-parts"',
      'href="/docs/"',
      'href="https://www.standardwebhooks.com" rel="noopener"',
      'href="/docs/guides/examples/first-release.ts"',
    ]) {
      assert.ok(quickStart.includes(href), href);
    }
  });

  test('the caption of code is its title or its language, without the words for the snippet test', () => {
    assert.match(quickStart, /<figcaption>Create a release<\/figcaption>/);
    assert.match(quickStart, /<figcaption>TypeScript<\/figcaption>/);
    assert.doesNotMatch(quickStart, /receiver\.ts|>run</);
    assert.match(quickStart, /class="hljs-keyword"/);
  });

  test('no inline script, style or event handler', () => {
    for (const { content, type, path } of site.values()) {
      if (!type.startsWith('text/html')) continue;
      assert.doesNotMatch(content, /<style|\sstyle=|\son\w+=|<script(?! src=)/, path);
    }
  });

  test('next and previous follow the order of the list', () => {
    assert.match(
      contentOf('/docs/guides/preflight'),
      /rel="prev" href="\/docs\/guides\/quick-start".*rel="next" href="\/docs\/guides\/deliveries"/,
    );
  });

  test('ids are those of GitHub', () => {
    assert.equal(slugOf('What can differ'), 'what-can-differ');
    assert.equal(slugOf('Retries, and `Idempotency-Key`s'), 'retries-and-idempotency-keys');
    assert.equal(slugOf('invalid_field'), 'invalid_field');
  });
});

describe('generated parts', () => {
  test('every include is rendered', () => {
    for (const [name, render] of Object.entries(includes)) {
      assert.ok(render().length > 100, name);
    }
  });

  test('every error code, preflight rule, scope and changelog entry has its anchor', () => {
    const expect = (path: string, ids: readonly string[]) => {
      const html = contentOf(path);
      assert.ok(ids.length > 0);
      for (const id of ids) assert.ok(html.includes(`id="${id}"`), `${path}#${id}`);
    };
    expect('/docs/guides/errors', problemCodes);
    expect('/docs/guides/preflight', ruleList);
    expect('/docs/guides/limits', scopes);
    expect('/docs/guides/changelog', ['2024-02-01', '2024-04-15', '2024-06-01']);
    expect('/docs/guides/deliveries', ['rights_conflict', 'unspecified', 'live_date_moved']);
  });

  test('text of the code is not read as HTML', () => {
    assert.match(contentOf('/docs/guides/errors'), /Bearer &lt;API_KEY&gt;/);
  });

  test('an include inside code is left alone', () => {
    const path = mkdtempSync(join(tmpdir(), 'tonearm-guide-'));
    const text = `${begin}\n\`\`\`\n<!-- include: limits -->\n\`\`\`\n`;
    writeFileSync(join(path, 'one.md'), text);
    const files = renderSite({ path, shownAs: 'guides' }, [{ title: 'Start', slugs: ['one'] }]);
    rmSync(path, { recursive: true });
    const html = files.find((file) => file.path === '/docs/guides/one')?.content ?? '';
    assert.match(html, /&lt;!-- include: limits --&gt;/);
  });
});

describe('as Markdown', () => {
  test('a page has its generated parts, and no marks for the renderer and the snippet test', () => {
    const markdown = contentOf('/docs/guides/errors.md');
    assert.match(markdown, /^# Errors\n/);
    assert.match(markdown, /\n## invalid_field\n/);
    assert.doesNotMatch(markdown, /<!--/);
    const quickStartMarkdown = contentOf('/docs/guides/quick-start.md');
    assert.match(quickStartMarkdown, /\n```typescript\n/);
    assert.match(quickStartMarkdown, /\n\*\*Create a release\*\*\n\n```sh\n/);
    assert.match(quickStartMarkdown, /\]\(errors\.md#invalid_field\)/);
    assert.match(quickStartMarkdown, /\]\(\/docs\/guides\/examples\/first-release\.ts\)/);
    assert.doesNotMatch(contentOf('/docs/guides/changelog.md'), /\{#/);
  });

  test('llms.txt lists every page with its description; llms-full.txt has all of them', () => {
    const index = contentOf('/llms.txt');
    assert.match(index, /^# Tonearm API\n\n> /);
    assert.match(
      index,
      /- \[Preflight\]\(https:\/\/origin\.invalid\/docs\/guides\/preflight\.md\): Find out/,
    );
    const full = contentOf('/llms-full.txt');
    for (const { slugs } of fixtureGroups) {
      for (const slug of slugs) {
        const title = contentOf(`/docs/guides/${slug}.md`).split('\n', 1)[0] ?? '';
        assert.ok(full.includes(`\n${title}\n`), title);
      }
    }
    const relative = [...full.matchAll(/\]\((?!https:)[^)]*\)/g)].map(([link]) => link);
    assert.deepEqual(relative, []);
  });
});

describe('a mistake fails the build and names its place', () => {
  const cases: readonly (readonly [name: string, text: string, expected: RegExp])[] = [
    ['a page that does not exist', `${begin}\n[x](two.md)`, /one\.md:5 the link "two\.md"/],
    ['an anchor that does not exist', `${begin}\n[x](#two)`, /one\.md:5 the link "#two" names an/],
    ['a file that does not exist', `${begin}\n[x](../../nothing.ts)`, /to no example/],
    ['another scheme', `${begin}\n[x](javascript:alert(1))`, /leads to no guide/],
    ['HTML', `${begin}\n<b>loud</b>`, /one\.md:5 HTML is not allowed/],
    ['HTML in a sentence', `${begin}\nSend <KEY>.`, /write <KEY> in backticks/],
    ['an unknown include', `${begin}\n<!-- include: nothing -->`, /one\.md:5 there is no include/],
    ['a second title', `${begin}\n# Two`, /one\.md:5 a second "# " heading/],
    ['a skipped level', `${begin}\n### Three`, /one\.md:5 a heading skips a level/],
    ['no title', 'About one.', /begins with its title/],
    ['no description', '# One\n\n## Two', /describes the page/],
  ];
  for (const [name, text, expected] of cases) {
    test(name, () => assert.match(mistakesOf(text), expected));
  }

  test('a page without mistakes has none', () => assert.equal(mistakesOf(begin), ''));

  test('a page that is listed and missing, and one that is not listed', () => {
    assert.match(mistakesOf(begin, ['one', 'two']), /two\.md:1 is in .* and missing/);
    assert.match(mistakesOf(begin, []), /one\.md:1 is not in/);
  });

  test('all mistakes are reported at once', () => {
    assert.match(mistakesOf(`${begin}\n[x](two.md) [y](#z)`), /2 mistake/);
  });
});

describe('the files of the site', () => {
  let folder: string;
  before(async () => {
    folder = await writeFixtureSite();
  });
  after(() => rmSync(dirname(folder), { recursive: true }));

  test('each is in the manifest, examples included', () => {
    const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
    const listed = (JSON.parse(manifest) as { file: string }[]).map(({ file }) => file);
    assert.ok(listed.length > 15);
    assert.ok(listed.includes('examples/first-release.ts'));
    for (const file of listed) assert.ok(readFileSync(join(folder, file)).length > 0, file);
  });

  test('rendering twice gives the same bytes', () => {
    const again = renderSite(fixtureFolder, fixtureGroups);
    assert.deepEqual(again, [...site.values()]);
  });
});
