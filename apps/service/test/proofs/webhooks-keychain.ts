/**
 * The secrets an endpoint has had, and which signatures may be on a message of a certain second: the one before a
 * rotation alone, both while its grace lasts, the new one alone after that. While a rotation is asked for nobody
 * knows yet which it is, so messages are judged once it was answered.
 */

import { createHmac } from 'node:crypto';

export type Headers = Readonly<Record<string, string>>;

/** Signed with these: the usual header with one of them, the standard one with one or two. */
export type Match = { readonly usual: string; readonly standard: readonly string[] };

type SecretPeriod = {
  readonly secret: string;
  /** When the rotation that began it was asked for and answered, and how long the one before stays good. */
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly graceMs: number;
};

export type Keychain = {
  /** `ask` returns the new secret. */
  readonly rotate: (graceSeconds: number, ask: () => Promise<string>) => Promise<void>;
  /** No rotation is under way. */
  readonly untilRotated: () => Promise<void>;
  readonly match: (headers: Headers, body: Buffer) => Match | undefined;
};

/** A transaction looks at its clock before it looks at the secrets, and the header has whole seconds. */
const slackMs = 4_000;

export function openKeychain(first: string): Keychain {
  const eras: SecretPeriod[] = [{ secret: first, askedAt: 0, answeredAt: 0, graceMs: 0 }];
  let rotating: Promise<void> = Promise.resolve();
  return {
    // One that failed is whoever's who asked for it.
    untilRotated: () => rotating.catch(() => undefined),
    rotate: async (graceSeconds, ask) => {
      const askedAt = Date.now();
      const asking = async () => {
        const secret = await ask();
        eras.push({ secret, askedAt, answeredAt: Date.now(), graceMs: graceSeconds * 1_000 });
      };
      rotating = asking();
      await rotating;
    },
    match: (headers, body) => matchOf(eras, headers, body),
  };
}

function matchOf(eras: readonly SecretPeriod[], headers: Headers, body: Buffer): Match | undefined {
  const usual = eras.findIndex(({ secret }) => headers['x-svc-signature'] === sign(secret, body));
  const given = (headers['webhook-signature'] ?? '').split(' ');
  const standard = given.map((signature) =>
    eras.findIndex(({ secret }) => signature === signStandard(secret, headers, body)),
  );
  const at = Number(headers['webhook-timestamp']) * 1_000;
  if (usual === -1 || !isPossible(eras, usual, standard, at)) return undefined;
  return { usual: eras[usual]!.secret, standard: standard.map((era) => eras[era]!.secret) };
}

function isPossible(
  eras: readonly SecretPeriod[],
  usual: number,
  standard: readonly number[],
  at: number,
): boolean {
  const endOf = (era: number) => eras[era + 1]?.answeredAt ?? Infinity;
  const isWithin = (from: number, to: number) => at + 1_000 + slackMs >= from && at - slackMs <= to;
  if (standard.length === 1 && standard[0] === usual) {
    const { askedAt, graceMs } = eras[usual]!;
    return isWithin(askedAt + graceMs, endOf(usual));
  }
  const next = eras[usual + 1];
  const isBoth = standard.length === 2 && standard[0] === usual + 1 && standard[1] === usual;
  if (!isBoth || next === undefined || next.graceMs === 0) return false;
  return isWithin(next.askedAt, Math.min(next.answeredAt + next.graceMs, endOf(usual + 1)));
}

const sign = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function signStandard(secret: string, headers: Headers, body: Buffer): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
}
