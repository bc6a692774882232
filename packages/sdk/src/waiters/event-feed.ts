/**
 * The events of the organization as they happen, read once for everything that waits: a hundred waiters send one request
 * where a hundred polls would send a hundred.
 */

import { PermissionDeniedError } from '../core/errors.ts';
import { type Alarm, alarm } from '../core/sleep.ts';
import type { EventPage, ListEventsQuery, StoredEvent } from '../generated/schema.ts';

export type ReadEvents = (query: ListEventsQuery) => PromiseLike<EventPage>;
export type Concerns = (event: StoredEvent) => boolean;

const intervalMs = 750;
const eventsAtOnce = 100;

/** Somebody who waits for the events that concern him. */
export class Subscription {
  readonly concerns: Concerns;
  #alarm: Alarm | undefined;
  #isDue = false;

  constructor(concerns: Concerns) {
    this.concerns = concerns;
  }

  wake(): void {
    this.#isDue = true;
    this.#alarm?.ring();
  }

  /** Resolves when such an event has happened since the last call, or after `ms`. */
  async wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#isDue) {
      this.#alarm = alarm(ms, signal);
      await this.#alarm.rung;
    }
    this.#isDue = false;
  }
}

export class EventFeed {
  readonly #read: ReadEvents;
  readonly #subscriptions = new Set<Subscription>();
  #after: Promise<number> | undefined;
  #pause: Alarm | undefined;
  #isForbidden = false;
  #isReading = false;

  constructor(read: ReadEvents) {
    this.#read = read;
  }

  /** `undefined`: the key may not read events, so that its program must poll. */
  async subscribe(concerns: Concerns): Promise<Subscription | undefined> {
    if (this.#isForbidden) return undefined;
    const subscription = new Subscription(concerns);
    this.#subscriptions.add(subscription);
    try {
      // The place is known before the resource is read, so that no change falls between the two.
      await this.#place();
    } catch (error) {
      this.unsubscribe(subscription);
      if (!(error instanceof PermissionDeniedError)) throw error;
      this.#isForbidden = true;
      return undefined;
    }
    void this.#readOn();
    return subscription;
  }

  /** With the last subscription the reading ends. */
  unsubscribe(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    if (this.#subscriptions.size > 0) return;
    this.#after = undefined;
    this.#pause?.ring();
  }

  /** The sequence of the newest event that has been read. */
  #place(): Promise<number> {
    this.#after ??= Promise.resolve(this.#read({ limit: 1 })).then(
      ({ data }) => data[0]?.sequence ?? 0,
      (error: unknown) => {
        this.#after = undefined;
        throw error;
      },
    );
    return this.#after;
  }

  async #readOn(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#subscriptions.size > 0) {
      this.#pause = alarm(intervalMs);
      await this.#pause.rung;
      if (this.#subscriptions.size > 0) await this.#readOnce().catch(() => this.#wakeAll());
    }
    this.#isReading = false;
  }

  async #readOnce(): Promise<void> {
    const { data } = await this.#read({ after: await this.#place(), limit: eventsAtOnce });
    const last = data.at(-1);
    if (last === undefined || this.#after === undefined) return;
    this.#after = Promise.resolve(last.sequence);
    for (const subscription of this.#subscriptions) {
      if (data.some(subscription.concerns)) subscription.wake();
    }
  }

  /** Without the feed, everyone must look for himself. */
  #wakeAll(): void {
    for (const subscription of this.#subscriptions) subscription.wake();
  }
}
