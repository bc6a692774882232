/** Stores of the sandbox, as examples. */

import { examplePage } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';

const cascadeExample = {
  store_id: 'cascade',
  name: 'Cascade',
  territory_codes: ['CH', 'DE', 'FR', 'GB', 'NO'],
  capabilities: {
    audio_formats: ['wav', 'alac'],
    use_types: ['ad_supported_stream', 'subscription_stream'],
    pre_order: false,
    takedown: true,
    takedown_method: 'omit_deal',
    update: true,
    confirmation: 'live',
    ern_version: '4.3.2',
    lead_time_business_days: 3,
  },
  status: 'active',
};

const auroraExample = {
  store_id: 'aurora',
  name: 'Aurora Music',
  territory_codes: ['AD', 'AE', 'AF', 'DE', 'US'],
  capabilities: {
    ...cascadeExample.capabilities,
    audio_formats: ['wav', 'flac', 'alac'],
    use_types: ['ad_supported_stream', 'subscription_stream', 'download'],
    pre_order: true,
    lead_time_business_days: 5,
  },
  status: 'active',
};

export const storeExamples = {
  listTerritories: {
    answer: {
      data: [
        { territory_code: 'DE', name: 'Germany', stores: ['aurora', 'beatlane', 'cascade'] },
        { territory_code: 'US', name: 'United States', stores: ['aurora', 'beatlane', 'indigo'] },
      ],
    },
  },
  listStores: {
    query: { territory_code: 'DE' },
    answer: examplePage(auroraExample, cascadeExample),
  },
  getStore: { answer: auroraExample },
} satisfies Readonly<Record<string, OperationExamples>>;
