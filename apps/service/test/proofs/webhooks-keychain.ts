/**
 * The secrets that an endpoint has had, and the signatures that a message of a certain second may carry: before a
 * rotation only the old secret's, during the grace period both, afterwards only the new one's. While a rotation request
 * is in progress its time is uncertain, so messages are judged after its response.
 */

import { createHmac } from 'node:crypto';

export type Headers = Readonly<Record<string, string>>;

/** The secrets of the signatures: one in `x-svc-signature`, one or two in `webhook-signature`. */
export type Match = { readonly usual: string; readonly standard: readonly string[] };

type SecretPeriod = {
  readonly secret: string;
  /** When the rotation to this secret was requested and answered, and how long the secret before it stays valid. */
  readonly requestedAt: number;
  readonly answeredAt: number;
  readonly graceMs: number;
};

export type Keychain = {
  /** `requestSecret` sends the rotation request and returns the new secret. */
  readonly rotate: (graceSeconds: number, requestSecret: () => Promise<string>) => Promise<void>;
  /** Waits until no rotation request is in progress. */
  readonly untilRotated: () => Promise<void>;
  readonly match: (headers: Headers, body: Buffer) => Match | undefined;
};

/** A transaction reads its clock before it reads the secrets, and the header has whole seconds. */
const slackMs = 4_000;

export function openKeychain(firstSecret: string): Keychain {
  const periods: SecretPeriod[] = [
    { secret: firstSecret, requestedAt: 0, answeredAt: 0, graceMs: 0 },
  ];
  let rotating: Promise<void> = Promise.resolve();
  return {
    // A failed rotation is reported to the caller of `rotate`.
    untilRotated: () => rotating.catch(() => undefined),
    rotate: async (graceSeconds, requestSecret) => {
      const requestedAt = Date.now();
      const recordRotation = async () => {
        const secret = await requestSecret();
        periods.push({
          secret,
          requestedAt,
          answeredAt: Date.now(),
          graceMs: graceSeconds * 1_000,
        });
      };
      rotating = recordRotation();
      await rotating;
    },
    match: (headers, body) => matchOf(periods, headers, body),
  };
}

function matchOf(
  periods: readonly SecretPeriod[],
  headers: Headers,
  body: Buffer,
): Match | undefined {
  const usual = periods.findIndex(
    ({ secret }) => headers['x-svc-signature'] === sign(secret, body),
  );
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  const standard = signatures.map((signature) =>
    periods.findIndex(({ secret }) => signature === signStandard(secret, headers, body)),
  );
  const at = Number(headers['webhook-timestamp']) * 1_000;
  if (usual === -1 || !isPossible(periods, usual, standard, at)) return undefined;
  return {
    usual: periods[usual]!.secret,
    standard: standard.map((period) => periods[period]!.secret),
  };
}

function isPossible(
  periods: readonly SecretPeriod[],
  usual: number,
  standard: readonly number[],
  at: number,
): boolean {
  const endOf = (period: number) => periods[period + 1]?.answeredAt ?? Infinity;
  const isWithin = (from: number, to: number) => at + 1_000 + slackMs >= from && at - slackMs <= to;
  if (standard.length === 1 && standard[0] === usual) {
    const { requestedAt, graceMs } = periods[usual]!;
    return isWithin(requestedAt + graceMs, endOf(usual));
  }
  const next = periods[usual + 1];
  const isBoth = standard.length === 2 && standard[0] === usual + 1 && standard[1] === usual;
  if (!isBoth || next === undefined || next.graceMs === 0) return false;
  return isWithin(next.requestedAt, Math.min(next.answeredAt + next.graceMs, endOf(usual + 1)));
}

const sign = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function signStandard(secret: string, headers: Headers, body: Buffer): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
}
