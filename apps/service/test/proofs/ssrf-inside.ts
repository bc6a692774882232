/**
 * The proof's other half, in a network namespace of its own (`ssrf.experiment.ts` starts it there). Its only interface
 * is the loopback, and every address there is leads to it: 10.0.0.1, fd00::1 and 93.184.216.34 alike are this
 * process, so a guard that fails does hit the canary, and no packet leaves the machine. Progress goes to standard
 * error, the figures to standard output.
 */

import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { examineUrl, hostOf } from '../../src/platform/outbound/examine-url.ts';
import { type Outbound, openOutbound, type PostOutcome } from '../../src/platform/outbound/post.ts';
import { resolveByDns } from '../../src/platform/outbound/resolve.ts';
import { runConcurrently } from './client.ts';
import { seededRandom } from './random.ts';
import { openCanary } from './ssrf-canary.ts';
import { openNameServer, type Round } from './ssrf-name-server.ts';
import { hostFor, hostileAddress, hostileUrls, publicAddresses } from './ssrf-urls.ts';

const [, , outerNamespace, urlsWanted, rebindingsWanted, redirectsWanted] = process.argv;
if (readlinkSync('/proc/self/ns/net') === outerNamespace) {
  throw new Error('this is the namespace of the machine: nothing is sent from here');
}
for (const command of [
  'link set lo up',
  'route add local 0.0.0.0/0 dev lo',
  '-6 route add local ::/0 dev lo',
]) {
  execFileSync('ip', command.split(' '));
}

const concurrency = 16;
const policy = { allowHttp: true, allowLoopback: false };
const message = {
  headers: () => ({ 'content-type': 'application/json' }),
  body: Buffer.from('{}'),
};
const limits = { organization: 'org_1', timeoutMs: 10_000 };
const random = seededRandom();
const say = (line: string) => process.stderr.write(`           ${line}\n`);

const canary = await openCanary();
const nameServer = await openNameServer();
const resolve = resolveByDns([nameServer.address]);
const outbound = openOutbound({ policy, resolve });
const samples: string[] = [];

const hits: Record<string, number> = {};
const countHits = async (phase: string) => {
  const found = await canary.hits();
  hits[phase] = found.length;
  samples.push(...found.slice(0, 3));
  say(`${phase}: ${hits[phase]} canary hits`);
};

/** Counts what did not end as it must. */
async function each<T>(
  things: readonly T[],
  isRight: (thing: T) => Promise<boolean | string>,
): Promise<number> {
  let wrong = 0;
  let next = 0;
  await runConcurrently(concurrency, async () => {
    const thing = things[next];
    next += 1;
    if (thing === undefined) return false;
    const verdict = await isRight(thing);
    if (verdict !== true) {
      wrong += 1;
      if (samples.length < 20) samples.push(`${JSON.stringify(thing)}: ${verdict}`);
    }
    return true;
  });
  return wrong;
}

const say200 = (outcome: PostOutcome) =>
  (outcome.kind === 'answered' && outcome.status === 200) || JSON.stringify(outcome);
const sayRefused = (outcome: PostOutcome) =>
  (outcome.kind === 'failed' && outcome.failure === 'refused') || JSON.stringify(outcome);
const post = (url: string, by: Outbound = outbound) => by.post(url, message, limits);

const urls = hostileUrls(random, Number(urlsWanted));

/** That the canary can be hit: the same URLs, as a client without a guard would take them. */
async function hitWithoutGuard(): Promise<number> {
  canary.allowOnly([]);
  await each(urls, async (text) => {
    const url = URL.parse(text.trim().replace('ftp:', 'http:').replace('gopher:', 'http:'));
    if (url === null) return true;
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    const socket = connect({ host: hostOf(url), port, family: 0 });
    await new Promise((done) => {
      socket.once('connect', done).once('error', done);
      socket.setTimeout(1_000, () => done(undefined));
    });
    socket.destroy();
    return true;
  });
  return (await canary.hits()).length;
}

async function spellings() {
  canary.allowOnly([]);
  const passed = urls.filter((url) => examineUrl(url, policy).isAllowed);
  samples.push(...passed.slice(0, 5));
  const notRefused = await each(urls, async (url) => sayRefused(await post(url)));
  await countHits('urls');
  return { urls: urls.length, urls_passed: passed.length, urls_not_refused: notRefused };
}

async function allowed() {
  canary.allowOnly(publicAddresses);
  const places = ['/', ':8080/hooks?a=b', ':80/', '/%2e%2e/x'];
  const good = publicAddresses.flatMap((address) => {
    const name = `${address.replaceAll(/[.:]+/g, '-')}.hooks.example.com`;
    nameServer.setAnswers(name, [{ addresses: [address] }]);
    return [hostFor(address), name].flatMap((host) =>
      places.map((place) => `http://${host}${place}`),
    );
  });
  const wrong = await each(good, async (url) => {
    if (
      !examineUrl(url.replace('http:', 'https:').replace(':80/', '/'), {
        ...policy,
        allowHttp: false,
      }).isAllowed
    )
      return 'refused';
    return say200(await post(url));
  });
  await countHits('allowed');
  return { allowed: good.length, allowed_wrong: wrong };
}

type Story = { readonly name: string; readonly rounds: readonly Round[] };

/** A round is told to be clean or not; the story is what the name server answers, one round a request. */
function storyOf(index: number): Story {
  const good = () => random.pick(publicAddresses);
  const bad = () => hostileAddress(random);
  const shuffled = (list: readonly string[]) => list.toSorted(() => random.below(3) - 1);
  const clean = (): Round => ({ addresses: [good()] });
  const tainted: readonly (() => Round)[] = [
    () => ({ addresses: [bad()] }),
    () => ({ addresses: shuffled([good(), bad()]) }),
    () => ({ addresses: shuffled([good(), good(), good(), bad(), good()]) }),
    () => ({ addresses: [...Array.from({ length: 9 }, good), bad()] }),
    () => ({ addresses: ['93.184.216.34', random.pick(['fd00::1', '64:ff9b::a00:1', '::1'])] }),
    () => ({ addresses: ['2606:4700::1111', random.pick(['10.0.0.1', '127.0.0.1'])] }),
    () => ({ addresses: [bad()], alias: 'localhost' }),
    () => ({ addresses: [bad()], alias: 'db.internal' }),
    () => ({ addresses: [good(), bad()], alias: 'edge.example.net' }),
  ];
  const taint = () => random.pick(tainted)();
  const stories: readonly (() => Round[])[] = [
    // Registered and pinged, and then moved.
    () => [clean(), taint()],
    () => [clean(), clean(), clean(), taint(), clean(), taint()],
    () => [taint(), clean()],
    () => [taint()],
    () => Array.from({ length: 6 }, () => (random.below(2) === 0 ? clean() : taint())),
  ];
  return { name: `r${index}.rebind.example.com`, rounds: random.pick(stories)() };
}

async function rebinding() {
  canary.allowOnly(publicAddresses);
  const stories: Story[] = [];
  let tries = 0;
  while (tries < Number(rebindingsWanted)) {
    const story = storyOf(stories.length);
    stories.push(story);
    tries += story.rounds.length;
  }
  let reached = 0;
  const wrong = await each(stories, async ({ name, rounds }) => {
    nameServer.setAnswers(name, rounds);
    const url = `http://${name}:${random.pick([80, 8080])}/`;
    if (!examineUrl(url, policy).isAllowed) return 'refused by its text';
    for (const { addresses } of rounds) {
      const isClean = addresses.every((address) => publicAddresses.includes(address));
      const outcome = await post(url);
      const verdict = isClean ? say200(outcome) : sayRefused(outcome);
      if (verdict !== true) return verdict;
      if (isClean) reached += 1;
    }
    return true;
  });
  await countHits('rebinding');
  return { rebinding_tries: tries, rebinding_reached: reached, rebinding_wrong: wrong };
}

async function redirects() {
  canary.allowOnly(publicAddresses);
  const cases = Array.from({ length: Number(redirectsWanted) }, () => {
    const host = hostFor(random.pick(publicAddresses));
    const to = encodeURIComponent(`http://${hostFor(hostileAddress(random))}/latest/meta-data/`);
    const status = random.pick([300, 301, 302, 303, 305, 307, 308]);
    return { url: `http://${host}/?status=${status}&to=${to}`, status };
  });
  const wrong = await each(cases, async ({ url, status }) => {
    const outcome = await post(url);
    return (outcome.kind === 'answered' && outcome.status === status) || JSON.stringify(outcome);
  });
  await countHits('redirects');
  return { redirects: cases.length, redirects_wrong: wrong };
}

/** Where the loopback is open, nothing else is. */
async function loopback() {
  const own = ['127.0.0.1', '127.0.0.77', '::1'];
  canary.allowOnly([...own, ...publicAddresses]);
  const open = openOutbound({ policy: { allowHttp: true, allowLoopback: true }, resolve });
  const wrongOwn = await each([...own.map(hostFor), 'localhost', 'a.localhost'], async (host) =>
    say200(await post(`http://${host}:8080/`, open)),
  );
  const others = Array.from({ length: 500 }, () => hostileAddress(random)).filter(
    (address) => !address.startsWith('127.'),
  );
  const wrong = await each(others, async (address) => {
    const name = `${address.replaceAll(/[.:]+/g, '-')}x.loop.example.com`;
    nameServer.setAnswers(name, [{ addresses: ['127.0.0.1', address] }]);
    const byAddress = sayRefused(await post(`http://${hostFor(address)}/`, open));
    return byAddress === true ? sayRefused(await post(`http://${name}/`, open)) : byAddress;
  });
  await countHits('loopback');
  return { loopback_tries: others.length * 2, loopback_wrong: wrong + wrongOwn };
}

const control = await hitWithoutGuard();
say(`without a guard: ${control} canary hits`);
const figures = {
  seed: random.seed,
  interfaces: Object.keys(networkInterfaces()).length,
  hits_without_guard: control,
  ...(await spellings()),
  ...(await allowed()),
  ...(await rebinding()),
  ...(await redirects()),
  ...(await loopback()),
};
const canaryHits = Object.values(hits).reduce((sum, count) => sum + count, 0);
const result = {
  ...figures,
  questions: nameServer.questions(),
  canary_hits: canaryHits,
  hits,
  samples,
};
process.stdout.write(JSON.stringify(result), () => process.exit());
