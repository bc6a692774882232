/** Follows a delivery until every store has answered, on a screen that is redrawn in place. */

import { type Delivery, WaitTimeoutError } from '@tonearm/sdk';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { truncate } from '../output/text-width.ts';
import { lengthText } from '../output/units.ts';
import { headingOf, printDelivery, progressLine, storeLines } from './delivery-view.ts';

const tickMs = 1_000;

/** The sandbox's stores take days as well, but there time can be moved. */
const sandboxHint = 'Sandbox: tonearm sandbox clock advance 3d skips the waiting.';

function frame({ output, settings }: Context, delivery: Delivery, begun: number): string[] {
  const { palette, columns } = output;
  const isSandbox = settings.apiKey?.startsWith('ta_test_') === true;
  const progress = `${progressLine(delivery)}  ${lengthText(Date.now() - begun)}`;
  return [
    palette.strong(truncate(headingOf(delivery), columns)),
    ...storeLines(output, delivery),
    '',
    truncate(progress, columns),
    palette.faint(
      truncate(isSandbox ? sandboxHint : 'Ctrl-C stops watching, not the delivery.', columns),
    ),
  ];
}

function draws(context: Context) {
  const { output } = context;
  const begun = Date.now();
  let latest: Delivery | undefined;
  const region = output.isLive ? output.live() : undefined;
  const draw = () => {
    if (latest !== undefined) region?.draw(frame(context, latest, begun));
  };
  const timer = setInterval(draw, tickMs);
  return {
    onProgress: (delivery: Delivery) => {
      latest = delivery;
      draw();
    },
    /** The last frame gives way to the result, which says the same and more. */
    end: () => {
      clearInterval(timer);
      region?.draw([]);
      region?.end();
    },
  };
}

export async function watchDelivery(
  context: Context,
  id: string,
  timeoutMs: number,
): Promise<void> {
  const { client, output, signal } = context;
  const screen = draws(context);
  let delivery: Delivery;
  try {
    delivery = await client().deliveries.waitFor(id, {
      signal,
      timeoutMs,
      onProgress: screen.onProgress,
    });
  } catch (error) {
    screen.end();
    if (!(error instanceof WaitTimeoutError)) throw error;
    if (error.last !== undefined) printDelivery(output, error.last as Delivery);
    throw new Failure(
      'waitTimeout',
      'wait_timeout',
      `${id} is still in progress after ${timeoutMs / 1_000} s.`,
      [`tonearm deliveries watch ${id}`],
    );
  }
  screen.end();
  printDelivery(output, delivery);
  if (delivery.status !== 'delivered') {
    throw new Failure('notDelivered', 'not_delivered', `${id} is ${delivery.status}.`);
  }
}
