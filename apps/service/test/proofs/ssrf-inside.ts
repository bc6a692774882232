/**
 * The part of the proof `ssrf` that `ssrf.experiment.ts` starts in a separate network namespace. The only interface
 * there is the loopback, and every address leads to it: 10.0.0.1, fd00::1 and 93.184.216.34 all are this process, so a
 * guard that fails does hit the canary, and no packet leaves the machine. Progress goes to standard error, the figures
 * to standard output.
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
  throw new Error('refusing to run in the network namespace of the machine');
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
const timeoutMs = 10_000;
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

/** Counts the items for which `isRight` does not return true. A text it returns becomes a sample. */
async function countWrong<T>(
  items: readonly T[],
  isRight: (item: T) => Promise<boolean | string>,
): Promise<number> {
  let wrong = 0;
  let next = 0;
  await runConcurrently(concurrency, async () => {
    const item = items[next];
    next += 1;
    if (item === undefined) return false;
    const verdict = await isRight(item);
    if (verdict !== true) {
      wrong += 1;
      if (samples.length < 20) samples.push(`${JSON.stringify(item)}: ${verdict}`);
    }
    return true;
  });
  return wrong;
}

const expect200 = (outcome: PostOutcome) =>
  (outcome.kind === 'answered' && outcome.status === 200) || JSON.stringify(outcome);
const expectRefused = (outcome: PostOutcome) =>
  (outcome.kind === 'failed' && outcome.failure === 'refused') || JSON.stringify(outcome);
const post = (url: string, by: Outbound = outbound, organization = 'org_1') =>
  by.post(url, message, { organization, timeoutMs });

const urls = hostileUrls(random, Number(urlsWanted));

/** Shows that the canary can be hit: connects to the same URLs as a client without a guard would. */
async function hitWithoutGuard(): Promise<number> {
  canary.allowOnly([]);
  await countWrong(urls, async (text) => {
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

async function testHostileUrls() {
  canary.allowOnly([]);
  const passed = urls.filter((url) => examineUrl(url, policy).isAllowed);
  samples.push(...passed.slice(0, 5));
  const notRefused = await countWrong(urls, async (url) => expectRefused(await post(url)));
  await countHits('urls');
  return { urls: urls.length, urls_passed: passed.length, urls_not_refused: notRefused };
}

async function testPublicAddresses() {
  canary.allowOnly(publicAddresses);
  const suffixes = ['/', ':8080/hooks?a=b', ':80/', '/%2e%2e/x'];
  const good = publicAddresses.flatMap((address) => {
    const name = `${address.replaceAll(/[.:]+/g, '-')}.hooks.example.com`;
    nameServer.setAnswers(name, [{ addresses: [address] }]);
    return [hostFor(address), name].flatMap((host) =>
      suffixes.map((suffix) => `http://${host}${suffix}`),
    );
  });
  const wrong = await countWrong(good, async (url) => {
    if (
      !examineUrl(url.replace('http:', 'https:').replace(':80/', '/'), {
        ...policy,
        allowHttp: false,
      }).isAllowed
    )
      return 'refused';
    return expect200(await post(url));
  });
  await countHits('allowed');
  return { allowed: good.length, allowed_wrong: wrong };
}

type NameScript = { readonly name: string; readonly rounds: readonly Round[] };

/** What the name server answers for one name, one round per request. Each round is clean or has a hostile address. */
function drawNameScript(index: number): NameScript {
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
  const scripts: readonly (() => Round[])[] = [
    // Public when the webhook is registered and pinged, hostile afterwards.
    () => [clean(), taint()],
    () => [clean(), clean(), clean(), taint(), clean(), taint()],
    () => [taint(), clean()],
    () => [taint()],
    () => Array.from({ length: 6 }, () => (random.below(2) === 0 ? clean() : taint())),
  ];
  return { name: `r${index}.rebind.example.com`, rounds: random.pick(scripts)() };
}

async function testRebinding() {
  canary.allowOnly(publicAddresses);
  const scripts: NameScript[] = [];
  let tries = 0;
  while (tries < Number(rebindingsWanted)) {
    const script = drawNameScript(scripts.length);
    scripts.push(script);
    tries += script.rounds.length;
  }
  let reached = 0;
  const wrong = await countWrong(scripts, async ({ name, rounds }) => {
    nameServer.setAnswers(name, rounds);
    const url = `http://${name}:${random.pick([80, 8080])}/`;
    if (!examineUrl(url, policy).isAllowed) return 'refused by its text';
    for (const [round, { addresses }] of rounds.entries()) {
      const isClean = addresses.every((address) => publicAddresses.includes(address));
      // Organizations share no connection, so each request opens one.
      const outcome = await post(url, outbound, `org_${round}`);
      const verdict = isClean ? expect200(outcome) : expectRefused(outcome);
      if (verdict !== true) return verdict;
      if (isClean) reached += 1;
    }
    return true;
  });
  await countHits('rebinding');
  return { rebinding_tries: tries, rebinding_reached: reached, rebinding_wrong: wrong };
}

/** A name that becomes hostile while a connection is kept: requests reach the address that was checked, or are refused. */
async function testKeptConnections() {
  canary.allowOnly(publicAddresses);
  let reached = 0;
  const names = Array.from({ length: 300 }, (_, i) => `k${i}.rebind.example.com`);
  const wrong = await countWrong(names, async (name) => {
    const hostile = Array.from({ length: 4 }, () => ({ addresses: [hostileAddress(random)] }));
    nameServer.setAnswers(name, [{ addresses: [random.pick(publicAddresses)] }, ...hostile]);
    // Each name has its own organization, because an organization keeps few connections.
    const send = () => post(`http://${name}/`, outbound, `org of ${name}`);
    const first = expect200(await send());
    if (first !== true) return first;
    for (let i = 0; i < hostile.length; i++) {
      const outcome = await send();
      const isReached = expect200(outcome) === true;
      if (isReached) reached += 1;
      else if (expectRefused(outcome) !== true) return JSON.stringify(outcome);
    }
    return true;
  });
  await countHits('kept connections');
  return { kept_connections_reached: reached, kept_connections_wrong: wrong };
}

async function testRedirects() {
  canary.allowOnly(publicAddresses);
  const cases = Array.from({ length: Number(redirectsWanted) }, () => {
    const host = hostFor(random.pick(publicAddresses));
    const to = encodeURIComponent(`http://${hostFor(hostileAddress(random))}/latest/meta-data/`);
    const status = random.pick([300, 301, 302, 303, 305, 307, 308]);
    return { url: `http://${host}/?status=${status}&to=${to}`, status };
  });
  const wrong = await countWrong(cases, async ({ url, status }) => {
    const outcome = await post(url);
    return (outcome.kind === 'answered' && outcome.status === status) || JSON.stringify(outcome);
  });
  await countHits('redirects');
  return { redirects: cases.length, redirects_wrong: wrong };
}

/** With allowLoopback, the loopback is reached and no other address that is not public. */
async function testLoopback() {
  const loopbackAddresses = ['127.0.0.1', '127.0.0.77', '::1'];
  canary.allowOnly([...loopbackAddresses, ...publicAddresses]);
  const open = openOutbound({ policy: { allowHttp: true, allowLoopback: true }, resolve });
  const wrongLoopback = await countWrong(
    [...loopbackAddresses.map(hostFor), 'localhost', 'a.localhost'],
    async (host) => expect200(await post(`http://${host}:8080/`, open)),
  );
  const others = Array.from({ length: 500 }, () => hostileAddress(random)).filter(
    (address) => !address.startsWith('127.'),
  );
  const wrong = await countWrong(others, async (address) => {
    const name = `${address.replaceAll(/[.:]+/g, '-')}x.loop.example.com`;
    nameServer.setAnswers(name, [{ addresses: ['127.0.0.1', address] }]);
    const byAddress = expectRefused(await post(`http://${hostFor(address)}/`, open));
    return byAddress === true ? expectRefused(await post(`http://${name}/`, open)) : byAddress;
  });
  await countHits('loopback');
  return { loopback_tries: others.length * 2, loopback_wrong: wrong + wrongLoopback };
}

const hitsWithoutGuard = await hitWithoutGuard();
say(`without a guard: ${hitsWithoutGuard} canary hits`);
const figures = {
  seed: random.seed,
  interfaces: Object.keys(networkInterfaces()).length,
  hits_without_guard: hitsWithoutGuard,
  ...(await testHostileUrls()),
  ...(await testPublicAddresses()),
  ...(await testRebinding()),
  ...(await testKeptConnections()),
  ...(await testRedirects()),
  ...(await testLoopback()),
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
