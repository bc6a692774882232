/** The messages of the story that examples tell (`kernel/example-story.ts`). */

import {
  artworkExampleId,
  exampleIds,
  examplePage,
  exampleTime,
} from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';

const file = (asset_id: string, extension: string, sha256: string, size_bytes: number) => ({
  asset_id,
  uri: `resources/${asset_id}.${extension}`,
  sha256,
  size_bytes,
  is_sent: true,
});

export const sentMessageExamples = {
  listDeliveryStoreMessages: {
    answer: examplePage({
      id: exampleIds.msg,
      type: 'new_release',
      status: 'answered',
      format: 'ern',
      revision: 3,
      created_at: exampleTime(-4, '09:00:02.000'),
      sent_at: exampleTime(-4, '09:00:09.000'),
      ern_version: '4.3.2',
      delivery_type: 'NewReleaseDelivery',
      batch_id: '20261112090002000',
      document: {
        sha256: '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
        size_bytes: 14_718,
        xml: '<?xml version="1.0" encoding="UTF-8"?>\n<ern:NewReleaseMessage …',
        download: null,
        unavailable_reason: null,
      },
      files: [
        file(
          artworkExampleId,
          'jpg',
          '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
          2_412_877,
        ),
        file(
          exampleIds.ast,
          'wav',
          '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          31_752_044,
        ),
      ],
      acknowledgements: [
        {
          received_at: exampleTime(-3, '16:20:00.000'),
          about: 'message',
          answer: 'delivered',
          statuses: ['ReleaseMadeAvailableToConsumers', 'FileOK'],
          reason: null,
          proposed_action: null,
          file: {
            name: 'ACK_20261112090002000.xml',
            sha256: 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',
            size_bytes: 1_204,
            xml: '<?xml version="1.0" encoding="UTF-8"?>\n<ern-c-sftp:AcknowledgementMessage …',
            download: null,
            unavailable_reason: null,
            warnings: [],
          },
        },
      ],
    }),
  },
} satisfies Readonly<Record<string, OperationExamples>>;
