/** A name server over UDP that answers from a script, so that a name can change its addresses between two questions. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

/** The answer to one question: addresses of both families, perhaps behind an alias (CNAME). */
export type Round = { readonly addresses: readonly string[]; readonly alias?: string };

export type NameServer = {
  readonly address: string;
  /** Each question for one address family is answered from the next round; the last round is repeated. */
  readonly setAnswers: (name: string, rounds: readonly Round[]) => void;
  readonly questions: () => number;
};

const types = { 1: 4, 28: 6 } as const;

export async function openNameServer(): Promise<NameServer> {
  const scripts = new Map<string, { rounds: readonly Round[]; counts: Record<number, number> }>();
  let questions = 0;
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    questions += 1;
    const { name, type, end } = questionOf(query);
    const script = scripts.get(name);
    const nth = script?.counts[type] ?? 0;
    if (script !== undefined) script.counts[type] = nth + 1;
    const round = script?.rounds[Math.min(nth, script.rounds.length - 1)];
    socket.send(answerTo(query.subarray(0, end), type, round), from.port, from.address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: '127.0.0.1',
    setAnswers: (name, rounds) => void scripts.set(name, { rounds, counts: {} }),
    questions: () => questions,
  };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, round: Round | undefined): Buffer {
  const family = types[type as keyof typeof types];
  const addresses = round?.addresses.filter((address) => isIP(address) === family) ?? [];
  const alias = round?.alias === undefined ? undefined : encodeName(round.alias);
  const records = addresses.map((address) => record(alias ?? questionName, type, bytesOf(address)));
  if (alias !== undefined) records.unshift(record(questionName, 5, alias));
  const answer = Buffer.concat([question, ...records]);
  // Flags: response, recursion available. Code 3: the name does not exist.
  answer.writeUInt16BE(0x8180 | (round === undefined ? 3 : 0), 2);
  answer.writeUInt16BE(records.length, 6);
  answer.writeUInt32BE(0, 8);
  return answer;
}

const encodeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCodePoint(label.length)}${label}`)),
    Buffer.alloc(1),
  ]);

/** A compressed name that points to the name in the question. */
const questionName = Buffer.from([0xc0, 12]);

/** A resource record with a time to live of 0. */
const record = (owner: Buffer, type: number, data: Buffer): Buffer =>
  Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser normalizes an IPv6 address.
  const normalized = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = normalized.split('::');
  const words = (half: string) => (half === '' ? [] : half.split(':'));
  const [left, right] = [words(head), words(tail ?? '')];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return Buffer.from(
    [...left, ...zeros, ...right].map((word) => word.padStart(4, '0')).join(''),
    'hex',
  );
}
