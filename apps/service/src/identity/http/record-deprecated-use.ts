import type { Logger } from 'pino';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { RecordDeprecatedUse } from '../../platform/http/deprecation.ts';
import { recordUse } from '../store/deprecated-uses.ts';

/** A client that uses a feature with every request writes its row this often. */
const recordAgainMs = 60_000;
const rememberedMax = 10_000;

type Deps = { readonly db: Database; readonly clock: Clock; readonly logger: Logger };

export function createUseRecorder({ db, clock, logger }: Deps): RecordDeprecatedUse {
  const recordedAtMs = new Map<string, number>();

  return async (feature, { orgId, actor }, requestId) => {
    const use = `${orgId}/${feature}/${actor.type}/${actor.id}`;
    const nowMs = clock.now().getTime();
    // Math.abs: after a clock was set back, the row is written again at once.
    if (Math.abs(nowMs - (recordedAtMs.get(use) ?? 0)) < recordAgainMs) return;
    try {
      await db.transact({ orgId, actor }, async (tx) => recordUse(tx, feature, requestId));
    } catch (error) {
      logger.warn({ err: error, feature }, 'the use of a deprecated feature was not recorded');
      return;
    }
    const [oldest] = recordedAtMs.keys();
    if (recordedAtMs.size >= rememberedMax && oldest !== undefined) recordedAtMs.delete(oldest);
    recordedAtMs.delete(use);
    recordedAtMs.set(use, nowMs);
  };
}
