import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { version } from '../../packages/sdk/src/core/settings.ts';
import { root } from '../servers/server.ts';
import { packageOfTag, publishedManifest, publishedReadme, readManifest } from './manifest.ts';

const names = readdirSync(join(root, 'packages'));
const manifestOf = (name: string) => JSON.parse(publishedManifest(name));

describe('what npm publishes', () => {
  for (const name of names) {
    test(`@tonearm/${name} says its licence, where its source, its README and its issues are`, () => {
      const { license, repository, homepage, bugs, description } = manifestOf(name);
      assert.deepEqual([license, repository.directory], ['Apache-2.0', `packages/${name}`]);
      assert.match(repository.url, /^git\+https:\/\/.*\.git$/);
      assert.match(homepage, new RegExp(`^https://.*/packages/${name}#readme$`));
      assert.match(bugs, /^https:\/\/.*\/issues$/);
      assert.ok(description.length > 20);
    });

    test(`links of the README of @tonearm/${name} lead to files that exist, also on npm`, () => {
      const links = [...publishedReadme(name).matchAll(/\]\(([^)]+)\)/g)].map(
        ([, link = '']) => link,
      );
      for (const link of links) {
        assert.match(link, /^(https?:\/\/|#)/);
        const [, file] = /\/blob\/main\/([^#]+)/.exec(link) ?? [];
        assert.ok(file === undefined || existsSync(join(root, file)), link);
      }
    });

    test(`@tonearm/${name} depends on the other packages as they are here`, () => {
      const { dependencies = {} } = manifestOf(name);
      for (const other of names) {
        const wanted = dependencies[`@tonearm/${other}`];
        assert.ok(wanted === undefined || wanted === manifestOf(other).version, other);
      }
    });
  }

  test('the SDK sends the version of its manifest', () => {
    assert.equal(version, manifestOf('sdk').version);
  });

  test('a tag publishes its package, if the manifest has its version', () => {
    const { version: current } = readManifest(join(root, 'packages/cli'));
    assert.equal(packageOfTag(`cli-v${String(current)}`), 'cli');
    assert.throws(() => packageOfTag('cli-v99.0.0'), /package\.json has/);
    assert.throws(() => packageOfTag('v1.0.0'), /no tag such as sdk-v0\.2\.0/);
  });
});
