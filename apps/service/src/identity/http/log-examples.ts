/** The audit log, and the stored answer of the request that created the artist of the story. */

import {
  exampleIds,
  examplePage,
  exampleTime,
  otherRequestExampleId,
} from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';

const occurredAt = exampleTime(-5, '09:30:00.000');

const auditEntryExample = {
  id: exampleIds.aud,
  sequence: 8,
  action: 'release.create',
  resource_id: exampleIds.rel,
  actor: { type: 'api_key', id: exampleIds.key },
  request_id: exampleIds.req,
  before_digest: null,
  after_digest: 'd52513d9435aab0a735d33951269b540ccecf13a57ff91779c905b889d4d82ec',
  occurred_at: occurredAt,
  hash: '09fed8e93f575b56b18606f3722fb58c719bb2fdd3913985ddb7507eca0c6bc7',
};

const exportedEntryExample = {
  ...auditEntryExample,
  previous_hash: 'c95af2deaf20071071dfc2b67fdbd8f91c26e1ee25b59135463575c634ba0189',
  hashed_text: '["01a1e570-6aba-7534-8451-9a7f1c43609b", "…"]',
};

export const auditLogExamples = {
  listAuditLog: { query: { action: 'release.create' }, answer: examplePage(auditEntryExample) },
  /** One line. */
  exportAuditLog: { answer: exportedEntryExample },
} satisfies Readonly<Record<string, OperationExamples>>;

export const idempotencyKeyExamples = {
  getIdempotencyKey: {
    answer: {
      key: '7d1f6a3e-2b4c-4d5e-8f60-718293a4b5c6',
      request_id: otherRequestExampleId,
      method: 'POST',
      path: '/v1/artists',
      status: 201,
      made_by_this_credential: true,
      headers: { location: `/v1/artists/${exampleIds.art}` },
      body: {
        id: exampleIds.art,
        reference: 'A-17',
        metadata: {},
        name: 'Aurora Díaz',
        isni: '0000000121032683',
        ipi: null,
        localized_names: {},
        store_profiles: { aurora: 'new', beatlane: 'new' },
        merged_into: null,
        created_at: exampleTime(-5, '09:10:00.000'),
        updated_at: exampleTime(-5, '09:10:00.000'),
      },
      created_at: exampleTime(-5, '09:10:00.000'),
      expires_at: exampleTime(-3, '00:00:00.000'),
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;
