/** How the story that examples tell (`kernel/example-story.ts`) is scripted in the sandbox. */

import { exampleIds, exampleOrigin, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';

const now = exampleTime(-1, '12:00:00.000');

const clockExample = {
  now,
  mode: 'manual',
  status: 'idle',
  advancing_to: null,
  next_due_at: exampleTime(-1, '14:00:00.000'),
};

export const clockExamples = {
  getSandboxClock: { answer: clockExample },
  setSandboxClockMode: { body: { mode: 'manual' }, answer: clockExample },
  advanceSandboxClock: {
    body: { by: '3d' },
    answer: {
      ...clockExample,
      status: 'advancing',
      advancing_to: exampleTime(2, '12:00:00.000'),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

const steps = [
  {
    action: 'reject',
    after: '2h',
    code: 'artwork_rejected',
    reason: 'The cover shows a web address. Remove it and send the release again.',
  },
];

const scenarioExample = {
  id: exampleIds.scn,
  name: 'Beatlane refuses the cover',
  store_id: 'beatlane',
  release_id: null,
  message: null,
  seed: 0,
  steps,
  repeats: false,
  created_at: exampleTime(-6, '14:00:00.000'),
};

export const scenarioExamples = {
  createScenario: {
    body: { name: 'Beatlane refuses the cover', store_id: 'beatlane', steps },
    answer: scenarioExample,
  },
  listScenarios: { answer: examplePage(scenarioExample) },
  getScenario: { answer: scenarioExample },
} satisfies Readonly<Record<string, OperationExamples>>;

const resetExample = {
  status: 'running',
  seeded: false,
  started_at: now,
  finished_at: null,
  problem: null,
};

export const resetExamples = {
  resetSandbox: { body: { seed: false }, answer: resetExample },
  getSandboxReset: {
    answer: {
      ...resetExample,
      status: 'idle',
      finished_at: exampleTime(-1, '12:00:09.000'),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;

const reportExample = {
  id: exampleIds.rpt,
  store_id: 'beatlane',
  period: '2026-10',
  kind: 'penalty',
  status: 'expected',
  arrives_at: now,
  supersedes: null,
  currency: null,
  row_count: null,
  unmatched_row_count: null,
  reported_amount: null,
  paid_amount: null,
  problem: null,
  created_at: now,
  updated_at: now,
};

const arrivedExample = {
  ...reportExample,
  status: 'paid',
  currency: 'EUR',
  row_count: 21,
  unmatched_row_count: 0,
  reported_amount: '211.480325',
  paid_amount: '211.480000',
};

export const reportExamples = {
  createSandboxReport: {
    body: { store_id: 'beatlane', period: '2026-10', kind: 'penalty' },
    answer: reportExample,
  },
  listSandboxReports: { answer: examplePage(arrivedExample) },
  getSandboxReport: { answer: arrivedExample },
} satisfies Readonly<Record<string, OperationExamples>>;

/** The inbox of the examples. */
export const inboxTokenExample = 'Zk3vQm8sT1xYwB5nC7dR2eF9hJ4gL6aP';

const url = `${exampleOrigin}/v1/sandbox/inbox/${inboxTokenExample}`;

export const inboxExamples = {
  getInbox: {
    answer: {
      data: [
        {
          id: exampleIds.inb,
          received_at: exampleTime(-1, '16:20:01.000'),
          status: 200,
          event_id: exampleIds.evt,
          event_type: 'delivery.completed',
          headers: { 'content-type': 'application/json', 'webhook-id': exampleIds.evt },
          body: `{"id":"${exampleIds.evt}","type":"delivery.completed"}`,
          body_base64: null,
          body_sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
        },
      ],
      url,
      answer: { status: 200, times: null, delay: '0s', retry_after: null },
      next_cursor: null,
      has_more: false,
    },
  },
  tellInbox: {
    body: { status: 503, times: 6 },
    answer: { url, answer: { status: 503, times: 6, delay: '0s', retry_after: null } },
  },
  receiveInInbox: {
    body: { id: exampleIds.evt, type: 'delivery.completed' },
    answer: { received: true },
  },
} satisfies Readonly<Record<string, OperationExamples>>;
