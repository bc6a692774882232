/**
 * Three independent verifiers check every message: node:crypto, the package of Standard Webhooks (which also checks the
 * timestamp), and a Python process that uses only hmac.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Headers, Keychain, Match } from './webhooks-keychain.ts';

const script = join(import.meta.dirname, 'webhooks-verify.py');

export type Verifier = {
  readonly verify: (keychain: Keychain, headers: Headers, body: Buffer) => void;
  readonly finish: () => Promise<Readonly<Record<string, number>>>;
};

export function openVerifier(say: (line: string) => void): Verifier {
  const python = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const counted = text(python.stdout);
  const verifying = new Set<Promise<void>>();
  const counts = { node: 0, node_refused: 0, standard: 0, standard_refused: 0, both_secrets: 0 };

  const verifyMessage = async (
    keychain: Keychain,
    headers: Headers,
    body: Buffer,
  ): Promise<void> => {
    await keychain.untilRotated();
    const match = keychain.match(headers, body);
    if (match === undefined) {
      counts.node_refused++;
      if (counts.node_refused <= 3) say(`wrong signature: ${JSON.stringify(headers)}`);
      return;
    }
    counts.node++;
    if (match.standard.length > 1) counts.both_secrets++;
    const isAccepted = match.standard.every((secret) => isStandard(secret, headers, body));
    counts[isAccepted ? 'standard' : 'standard_refused']++;
    python.stdin.write(`${JSON.stringify(lineOf(match, headers, body))}\n`);
  };
  return {
    verify: (keychain, headers, body) => {
      const verification = verifyMessage(keychain, headers, body).finally(() =>
        verifying.delete(verification),
      );
      verifying.add(verification);
    },
    finish: async () => {
      await Promise.all(verifying);
      python.stdin.end();
      const { accepted, refused } = JSON.parse(await counted) as Record<string, number>;
      return {
        accepted_by_node: counts.node,
        accepted_by_standardwebhooks: counts.standard,
        accepted_by_python: accepted ?? 0,
        refused_by_node: counts.node_refused,
        refused_by_standardwebhooks: counts.standard_refused,
        refused_by_python: refused ?? -1,
        signed_with_both: counts.both_secrets,
      };
    },
  };
}

const lineOf = ({ usual, standard }: Match, headers: Headers, body: Buffer) => ({
  body: body.toString('base64'),
  headers,
  usual,
  standard,
});

/** The package throws on an invalid signature and on an old timestamp. */
function isStandard(secret: string, headers: Headers, body: Buffer): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
