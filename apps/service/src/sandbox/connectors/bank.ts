/**
 * The scripted bank behind the sandbox rail. Every payment is a line of a journal, which is on disk before the payment
 * is answered: after a `kill -9` the bank knows every payment that it has answered.
 */

import { hash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { PaymentSimulation } from '../../money/face.ts';
import type { BankPayment } from '../domain/rail-payment.ts';

export type PaymentOrder = {
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  readonly details: object;
  readonly simulation: PaymentSimulation;
};

export type Bank = {
  /** Undefined if another payment was sent under this key. `isNew` is false if this one was sent before. */
  readonly pay: (
    order: PaymentOrder,
  ) => Promise<{ readonly payment: BankPayment; readonly isNew: boolean } | undefined>;
  readonly find: (key: string) => BankPayment | undefined;
  /** Every line of the journal: a key that has several was paid several times. */
  readonly list: () => readonly BankPayment[];
  readonly close: () => Promise<void>;
};

export async function openBank(journalFile: string): Promise<Bank> {
  const journal = await open(journalFile, 'a');
  const lines = await replay(journalFile, journal);
  const byKey = new Map(lines.map((payment) => [payment.key, payment]));
  let lastWrite: Promise<unknown> = Promise.resolve();

  const pay = async (order: PaymentOrder) => {
    const digest = digestOf(order);
    const known = byKey.get(order.key);
    if (known !== undefined) {
      return known.digest === digest ? { payment: known, isNew: false } : undefined;
    }
    const { key, amount, currency, simulation } = order;
    const reference = `BANK-${randomUUID()}`;
    const payment: BankPayment = { key, amount, currency, digest, simulation, reference };
    await journal.appendFile(`${JSON.stringify(payment)}\n`);
    await journal.datasync();
    lines.push(payment);
    byKey.set(key, payment);
    return { payment, isNew: true };
  };
  return {
    // One after the other: two requests with the same key must not both find it unused.
    pay: (order) => {
      const paid = lastWrite.then(() => pay(order));
      lastWrite = paid.catch(() => undefined);
      return paid;
    },
    find: (key) => byKey.get(key),
    list: () => lines,
    close: () => journal.close(),
  };
}

/** A line without its end was being written when the process ended, and has not been answered: it is removed. */
async function replay(journalFile: string, journal: FileHandle): Promise<BankPayment[]> {
  const text = await readFile(journalFile, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  if (complete.length < text.length) await journal.truncate(Buffer.byteLength(complete));
  return complete
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BankPayment);
}

const digestOf = ({ amount, currency, details }: PaymentOrder): string =>
  hash('sha256', JSON.stringify([amount, currency, details]));
