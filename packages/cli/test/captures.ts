/**
 * Makes the pictures of docs/cli from real terminals of 80 columns, against a sandbox that runs:
 *
 *   npm run dev                                       and, in another terminal, with its address and its key:
 *   node packages/cli/src/main.ts sandbox reset --royalties --yes
 *   node packages/cli/test/captures.ts
 */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../../../scripts/servers/server.ts';
import { makeAlbum } from './album.ts';
import { mainPath, openHome } from './run-cli.ts';
import { pictureOf } from './terminal-picture.ts';
import { openTerminal } from './terminal.ts';

const columns = 80;
const { TONEARM_URL = '', TONEARM_API_KEY = '' } = process.env;
const home = openHome({ TONEARM_URL, TONEARM_API_KEY });

const open = (...args: string[]) => {
  // The command line as a person types it is the first line of the picture.
  const script = `printf '$ tonearm %s\\n' "$*"; exec "${process.execPath}" "${mainPath}" "$@"`;
  return openTerminal(['sh', '-c', script, 'sh', ...args], {
    env: home.env,
    columns,
    cwd: home.folder,
  });
};

/** Without the line that the terminal of the tests adds. */
const save = (name: string, colours: string): void => {
  const screen = colours.replace(/\n[^\n]*status \d+\s*$/, '\n');
  writeFileSync(join(root, 'docs/cli', `${name}.svg`), pictureOf(screen, columns));
};

const hasEnded = (lines: readonly string[]) => lines.some((line) => /^status \d+$/.test(line));

async function json(...args: string[]) {
  const { json: value, stderr } = await home.run(args);
  if (value === undefined) throw new Error(`${args.join(' ')}: ${stderr}`);
  return value;
}

async function captureUpload(folder: string): Promise<void> {
  const terminal = open('assets', 'upload', '01.wav', '02.wav', 'cover.png');
  await terminal.until('a bar moves', (lines) => lines.some((line) => /━╌|is examined/.test(line)));
  save('assets-upload-running', terminal.colours());
  await terminal.until('it has ended', hasEnded);
  save('assets-upload', terminal.colours());
  terminal.close();
  await json('releases', 'import', folder, '--yes');
}

async function captureDelivery(release: string): Promise<void> {
  await json('releases', 'validate', release, '--fix');
  await json('releases', 'submit', release);
  await json(
    'sandbox',
    'scenario',
    'set',
    '--store',
    'kilima',
    '--release',
    release,
    '--action',
    'reject',
    '--code',
    'new_release_message_invalid',
    '--reason',
    'The title is not the title on the cover.',
  );
  const terminal = open('deliver', release, '--stores', 'aurora,cascade,indigo,kilima', '--watch');
  await terminal.until('kilima is waited for', (lines) =>
    lines.some((line) => line.includes('expected by')),
  );
  await json('sandbox', 'clock', 'advance', '1d');
  save('deliver-watch-running', terminal.colours());
  await json('sandbox', 'clock', 'advance', '100d');
  await terminal.until('it has ended', hasEnded);
  save('deliver-watch', terminal.colours());
  terminal.close();
}

async function captureListen(): Promise<void> {
  const answers = [200, 503, 200, 200];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answers.shift() ?? 200).end());
  }).listen(3_000, '127.0.0.1');
  const terminal = open('listen', '--forward-to', '127.0.0.1:3000/hooks');
  await terminal.until('it listens', (lines) => lines.some((line) => line.startsWith('Ctrl-C')));
  await json('trigger', 'release.created');
  await json('trigger', 'organization.verification.changed');
  await terminal.until(
    'all are shown',
    (lines) => lines.filter((line) => / ms +#/.test(line)).length >= 4,
  );
  // The secret of this home is of no use to anybody, but a picture of a secret is a bad example.
  save('listen', terminal.colours().replace(/whsec_\S+/, 'whsec_…'));
  terminal.close();
  receiver.close();
}

async function captureRoyalties(): Promise<void> {
  const terminal = open('royalties', 'breakdown', '--by', 'store,month');
  await terminal.until('it has ended', hasEnded);
  save('royalties', terminal.colours());
  terminal.close();
}

// By the clock of the sandbox, which may have been moved.
const { now } = await json('sandbox', 'clock', 'get');
const releaseDate = new Date(Date.parse(now) + 40 * 86_400_000).toISOString().slice(0, 10);
makeAlbum(home.folder, 'Night Drive', releaseDate);
await captureRoyalties();
await captureListen();
await captureUpload(home.folder);
const [{ id }] = (await json('releases', 'list', '--limit', '1')).data;
await captureDelivery(id);
home.remove();
