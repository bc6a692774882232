/** The data of a sequence: releases, scenarios, a partner's requests, and the announced events. */

import type { ScenarioStep } from '../../src/sandbox/domain/scenario.ts';
import type { StoreDelivery, ModelAnswer } from './clock-store-delivery.ts';

export type Release = {
  readonly name: string;
  readonly date: string;
  /** The moment at which it is out everywhere; null: local midnight of `date`. */
  readonly releaseAt: string | null;
};

export type Scenario = {
  readonly store: string | null;
  readonly release: number | null;
  readonly message: 'deliver' | 'update' | 'takedown' | null;
  readonly seed: number;
  readonly repeats: boolean;
  readonly steps: readonly ScenarioStep[];
};

/** A request of a partner. Deliveries and releases are numbered in the order of their creation. */
export type RequestAction =
  | { readonly kind: 'script'; readonly scenario: Scenario }
  | { readonly kind: 'create'; readonly release: number; readonly stores: readonly string[] }
  | {
      readonly kind: 'patch';
      readonly release: number;
      readonly title: string;
      /** Undefined: the date stays. */
      readonly date: string | undefined;
    }
  | {
      readonly kind: 'takedown' | 'update' | 'resubmit';
      readonly delivery: number;
      readonly stores: readonly string[] | undefined;
    }
  | {
      readonly kind: 'answer';
      readonly delivery: number;
      readonly store: string;
      readonly answer: ModelAnswer;
      /** The store names only the release. */
      readonly isAboutRelease: boolean;
    };

/** `store` is null for an event about the whole delivery. */
export type AnnouncedEvent = {
  readonly delivery: number;
  readonly store: string | null;
  readonly text: string;
  readonly at: number;
};

export type ModelDelivery = {
  readonly index: number;
  readonly release: number;
  readonly storeDeliveries: readonly StoreDelivery[];
  status: string;
  dispatches: number;
  unsent: number;
  /** When its unsent messages are dispatched again. */
  recheckAt: number | undefined;
  /** When the deadlines of its stores are checked next. */
  checkAt: number | null;
};
