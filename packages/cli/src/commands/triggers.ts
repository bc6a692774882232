/** How each type of event can be made to happen in the sandbox, or why it cannot. */

import type { Delivery, EventType } from '@tonearm/sdk';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';

export type TriggerOptions = {
  readonly delivery?: string;
  readonly answer: string;
  readonly webhook?: string;
};

/** Makes it happen and says in a sentence what was done. */
export type Trigger = (context: Context, options: TriggerOptions) => Promise<string>;

/** It follows only from something larger: the commands that lead there. */
const cannot =
  (because: string, ...commands: string[]): Trigger =>
  async () => {
    throw new Failure('usage', 'cannot_trigger', because, commands);
  };

const testTitle = 'Triggered by tonearm trigger';

const createRelease: Trigger = async ({ client, signal }) => {
  const release = await client().releases.create(
    {
      title: testTitle,
      artists: [{ name: 'Tonearm CLI', role: 'main' }],
      release_date: new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10),
    },
    { signal },
  );
  return `The draft ${release.id} was created; delete it with: tonearm delete /v1/releases/${release.id}`;
};

/** The beginning of a PNG without its end: it is uploaded whole and then found to be damaged. */
const damagedPicture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const failAsset: Trigger = async ({ client, signal }) => {
  const asset = await client().assets.upload(new Uint8Array(damagedPicture), {
    type: 'artwork',
    fileName: 'damaged.png',
    contentType: 'image/png',
    signal,
    waitUntilReady: false,
  });
  return `${asset.id} is a damaged picture, which is examined now.`;
};

const isWaiting = ({ status }: Delivery['stores'][number]): boolean => status === 'in_progress';

/** The one that is named, or the newest that a store still has to answer. */
async function openDelivery(
  { client, signal }: Context,
  id: string | undefined,
): Promise<Delivery> {
  if (id !== undefined) return client().deliveries.get(id, { signal });
  const pager = client().deliveries.list({ status: 'in_progress', limit: 20 }, { signal });
  const found = (await pager.page()).data.find(({ stores }) => stores.some(isWaiting));
  if (found !== undefined) return found;
  throw new Failure('usage', 'cannot_trigger', 'No store has a delivery of yours to answer.', [
    'tonearm deliver rel_… --stores aurora, then this command again',
  ]);
}

const answers = ['delivered', 'rejected', 'action_required'] as const;

function answerOf(name: string) {
  const answer = answers.find((each) => each === name);
  if (answer === undefined) {
    throw new Failure('usage', 'usage', `--answer is one of ${answers.join(', ')}.`);
  }
  const code =
    answer === 'delivered' ? {} : { code: 'new_release_message_invalid', reason: testTitle };
  return { answer, ...code };
}

/** Answers for the first store, or for every store that has not answered yet. */
const answerForStores =
  (isEvery: boolean): Trigger =>
  async (context, options) => {
    const { client, signal } = context;
    const delivery = await openDelivery(context, options.delivery);
    const waiting = delivery.stores.filter(isWaiting).map((store) => store.store_id);
    if (waiting.length === 0) {
      throw new Failure(
        'usage',
        'cannot_trigger',
        `No store of ${delivery.id} has something to answer.`,
        [`tonearm deliveries get ${delivery.id}`],
      );
    }
    const stores = isEvery ? waiting : waiting.slice(0, 1);
    for (const store of stores) {
      await client().sandbox.answerForStore(delivery.id, store, answerOf(options.answer), {
        signal,
      });
    }
    return `${stores.join(', ')} answered ${options.answer} for ${delivery.id}.`;
  };

const changeVerification: Trigger = async ({ client, signal }) => {
  await client().sandbox.setVerification({ status: 'pending' }, { signal });
  await client().sandbox.setVerification({ status: 'verified' }, { signal });
  return 'The verification was set to pending and back to verified: two events.';
};

const ping: Trigger = async ({ client, signal }, { webhook }) => {
  if (webhook === undefined) {
    throw new Failure('usage', 'usage', 'A ping goes to one webhook.', [
      'tonearm trigger ping --webhook wh_…',
    ]);
  }
  const { status, last_ping: last } = await client().webhooks.ping(webhook, { signal });
  return `${webhook} answered ${last?.status_code ?? last?.failure ?? 'nothing'} and is ${status}.`;
};

const clock = 'tonearm sandbox clock advance';
const report = `tonearm post /v1/sandbox/reports -f store_id=aurora -f period=2026-10 -f kind=normal`;

/** Every type of the API has an entry: a new one does not compile without. */
export const triggers: Readonly<Record<EventType | 'ping', Trigger>> = {
  ping,
  'release.created': createRelease,
  'release.status.changed': cannot(
    'It follows from submitting a release.',
    'tonearm releases submit rel_…',
  ),
  'asset.ready': cannot('It follows from uploading a file.', 'tonearm assets upload cover.jpg'),
  'asset.failed': failAsset,
  'delivery.completed': answerForStores(true),
  'delivery.store.updated': answerForStores(false),
  'delivery.taken_down': cannot(
    'It follows when every store has removed a release.',
    'tonearm deliveries takedown dlv_…',
    `${clock} 3d`,
  ),
  'delivery.store.overdue': cannot(
    'It follows when a store does not answer in time.',
    'tonearm sandbox scenario set --store kilima --action lose',
    'tonearm deliver rel_… --stores kilima',
    `${clock} 30d`,
  ),
  'statement.published': cannot(
    'It follows when a month with reports closes, on the 15th.',
    report,
    `${clock} 30d`,
  ),
  'adjustment.created': cannot(
    'It follows from a report with a fine.',
    report.replace('normal', 'penalty'),
    `${clock} 30d`,
  ),
  'earnings.held': cannot(
    'It follows from a store that pays too little.',
    report.replace('normal', 'short_paid'),
    `${clock} 30d`,
  ),
  'earnings.released': cannot(
    'It follows when an earning hold ends.',
    'tonearm get /v1/earning_holds',
  ),
  'earnings.forfeited': cannot('An operator decides that; the sandbox has no route for it.'),
  'payout.status.changed': cannot(
    'It follows from a payout.',
    'tonearm post /v1/payouts -f amount=25.00 -f currency=EUR',
    `${clock} 3d`,
  ),
  'payout_method.changed': cannot(
    'It follows from a new payout method.',
    'tonearm post /v1/payout_methods -d @method.json',
  ),
  'webhook.disabled': cannot(
    'It follows when every attempt at a webhook failed for 5 days.',
    'tonearm post /v1/sandbox/inbox -d \'{"status": 503, "times": 1000}\'',
    `${clock} 6d`,
  ),
  'organization.verification.changed': changeVerification,
  'api.changelog.published': cannot(
    'It is sent when the API changes; the sandbox has no route for it.',
  ),
};
