/** `trigger delivery.completed`: makes an event happen in the sandbox, by making its cause happen. */

import type { Command } from 'commander';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, usageFailure } from '../failure.ts';
import { type TriggerOptions, triggers } from './triggers.ts';

async function trigger(context: Context, type: string, options: TriggerOptions): Promise<void> {
  const { output, settings } = context;
  if (!Object.hasOwn(triggers, type)) {
    throw usageFailure(
      `${type} is not a type of event. Types: ${Object.keys(triggers).join(', ')}.`,
    );
  }
  if (settings.apiKey?.startsWith('ta_live_') === true) {
    throw new Failure(
      'usage',
      'sandbox_only',
      'Events are triggered in the sandbox only; this is a live key.',
    );
  }
  const message = await triggers[type as keyof typeof triggers](context, options);
  output.result({ type, message }, () => {
    output.line(message);
    output.next(`tonearm events list --type ${type}`);
  });
}

export const addTriggerCommand = (program: Command): Command =>
  runs<TriggerOptions>(
    program
      .command('trigger')
      .argument('<event>', 'such as delivery.completed')
      .option(
        '--delivery <delivery>',
        'of this delivery; omitted: the newest that waits for a store',
      )
      .option(
        '--answer <answer>',
        'what stores answer: delivered, rejected or action_required',
        'delivered',
      )
      .option('--webhook <webhook>', 'the webhook to ping')
      .description('make an event happen in the sandbox'),
    (context, [type = ''], options) => trigger(context, type, options),
  );
