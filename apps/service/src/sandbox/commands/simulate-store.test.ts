/** How fictional stores say yes, by their confirmation (catalogue §1.3). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messageKinds } from '../domain/scenario.ts';
import { translateReply } from './simulate-store.ts';

const url = 'https://aurora.example/releases/036000291452';
const context = { storeId: 'aurora', productCode: '036000291452' };
const rejection = { code: 'c', reason: 'r' };

describe('catalogue §1.3: the answer of a fictional store', () => {
  const delivered = { kind: 'delivered', url } as const;
  const [removed, acknowledged] = [{ kind: 'removed' }, { kind: 'acknowledged' }] as const;
  const positive = {
    live: { deliver: delivered, update: delivered, takedown: removed },
    ingest: { deliver: acknowledged, update: acknowledged, takedown: acknowledged },
    none: { deliver: undefined, update: undefined, takedown: undefined },
  } as const;
  for (const confirmation of ['live', 'ingest', 'none'] as const) {
    for (const kind of messageKinds) {
      const to = { ...context, kind, confirmation };
      const expected = positive[confirmation][kind];
      test(`${confirmation}: yes to ${kind}: ${expected?.kind ?? 'nothing'}`, () => {
        assert.deepEqual(translateReply({ says: 'yes' }, to), expected);
      });
      test(`${confirmation}: rejections, flags and removals after ${kind} are given by all`, () => {
        const refused = { says: 'no', ...rejection } as const;
        assert.deepEqual(translateReply(refused, to), {
          kind: kind === 'takedown' ? 'removal_refused' : 'rejected',
          rejection,
        });
        const flagged = { says: 'flag', code: null, reason: 'r' } as const;
        assert.deepEqual(translateReply(flagged, to), {
          kind: 'action_required',
          rejection: { code: 'unspecified', reason: 'r' },
        });
        assert.deepEqual(translateReply({ says: 'removed' }, to), removed);
      });
    }
  }
});
