/** `listen --forward-to localhost:3000/hooks`: events of the account arrive at a receiver on this machine. */

import type { StoredEvent } from '@tonearm/sdk';
import type { Command } from 'commander';
import { listOption } from '../body.ts';
import { runs } from '../command.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { eventsAfter, newestSequence, sequenceSince } from '../listen/event-feed.ts';
import { type Attempt, attemptsMax, forwardEvent, parseReceiver } from '../listen/forward-event.ts';
import { type PlaceKey, readPlace, writePlace } from '../listen/place.ts';
import { newSecret } from '../listen/sign-event.ts';
import { paintStatus, symbolOf } from '../output/status.ts';
import { pad, truncate } from '../output/text-width.ts';
import { readProfiles, saveProfile } from '../settings/profiles.ts';

type ListenOptions = {
  readonly forwardTo?: string;
  readonly since?: string;
  readonly events?: string[];
  readonly printSecret?: boolean;
};

/** Made once for each profile, so that it can stay in the receiver's settings. */
function listenSecret({ settings: { profileName } }: Context): string {
  const profile = readProfiles(process.env).profiles[profileName] ?? {};
  if (profile.listen_secret !== undefined) return profile.listen_secret;
  const secret = newSecret();
  saveProfile(process.env, profileName, { ...profile, listen_secret: secret });
  return secret;
}

async function startAt(
  { client, signal }: Context,
  since: string | undefined,
  key: PlaceKey,
): Promise<number> {
  if (since === 'last') {
    const place = readPlace(process.env, key);
    if (place !== undefined) return place;
    throw usageFailure('No earlier listen of this profile is known.', 'tonearm listen --since 1h');
  }
  return since === undefined
    ? newestSequence(client(), signal)
    : sequenceSince(client(), since, signal);
}

const clockText = (): string => new Date().toTimeString().slice(0, 8);

/** `03:12:01  ✔ 200          2/4     12 ms   #41  delivery.completed`, in columns that stay; the id where it fits. */
function attemptLine({ output }: Context, event: StoredEvent, attempt: Attempt): string {
  const { status, failure, durationMs, number, isLast } = attempt;
  const isGood = isLast && failure === undefined && status !== undefined && status < 300;
  const look = isGood ? 'ok' : isLast ? 'error' : 'warning';
  const answer = pad(truncate(String(status ?? failure), 12), 12, 'left');
  const retry = number === 1 ? '   ' : `${number}/${attemptsMax}`;
  const ms = `${durationMs} ms`.padStart(8);
  const head = `${clockText()}  ${symbolOf(look)} ${answer} ${retry} ${ms}  `;
  const text = truncate(
    `${head}${`#${event.sequence}`.padStart(5)}  ${event.type}`,
    output.columns,
  );
  const id = `  ${event.id}`;
  const line =
    paintStatus(output.palette, look, text.slice(0, head.length)) + text.slice(head.length);
  return text.length + id.length > output.columns ? line : line + output.palette.faint(id);
}

function printAttempt(context: Context, event: StoredEvent, attempt: Attempt): void {
  const { output } = context;
  const { number, status, failure, durationMs } = attempt;
  output.jsonLine({
    event_id: event.id,
    type: event.type,
    sequence: event.sequence,
    attempt: number,
    status: status ?? null,
    failure: failure ?? null,
    duration_ms: durationMs,
  });
  output.line(attemptLine(context, event, attempt));
}

/** What webhooks get: the event without what is known about webhooks. */
function withoutWebhooks(stored: StoredEvent) {
  const { webhooks: _, ...event } = stored;
  return event;
}

function printHeading(
  { output }: Context,
  url: URL | undefined,
  secret: string,
  start: number,
): void {
  if (url !== undefined) {
    output.line(`Events after number ${start} go to ${url.href}, signed with:`);
    output.line(output.palette.strong(secret));
    output.line(
      output.palette.faint('The secret stays the same: TONEARM_WEBHOOK_SECRETS of your receiver.'),
    );
  } else output.line(`Events after number ${start}. --forward-to sends them to a receiver.`);
  output.line(output.palette.faint('Ctrl-C ends it; --since last continues where it ended.'));
  output.line();
}

async function forwardAll(
  context: Context,
  options: ListenOptions,
  url: URL | undefined,
): Promise<void> {
  const { client, output, signal, settings } = context;
  const secret = listenSecret(context);
  const { id: organization } = await client().organization.get({ signal });
  const key = { profile: settings.profileName, organization, apiUrl: settings.apiUrl };
  const start = await startAt(context, options.since, key);
  printHeading(context, url, secret, start);
  const onAway = (error: unknown) =>
    output.note(`The service does not answer (${(error as Error).message}); trying again.`);
  for await (const event of eventsAfter(client(), start, signal, onAway)) {
    const isWanted = options.events === undefined || options.events.includes(event.type);
    if (isWanted && url === undefined) {
      output.jsonLine(withoutWebhooks(event));
      output.line(
        truncate(`${clockText()}  ${pad(event.type, 24, 'left')}  ${event.id}`, output.columns),
      );
    } else if (isWanted && url !== undefined) {
      const isTaken = await forwardEvent(withoutWebhooks(event), {
        url: url.href,
        secret,
        signal,
        onAttempt: (attempt) => printAttempt(context, event, attempt),
      });
      if (!isTaken)
        output.next(
          `tonearm listen --forward-to ${options.forwardTo} --since ${event.sequence - 1}`,
        );
    }
    writePlace(process.env, key, event.sequence);
  }
}

async function listen(context: Context, options: ListenOptions): Promise<void> {
  if (options.printSecret === true) {
    process.stdout.write(`${listenSecret(context)}\n`);
    return;
  }
  const url = options.forwardTo === undefined ? undefined : parseReceiver(options.forwardTo);
  if (options.forwardTo !== undefined && url === undefined) {
    throw usageFailure(`${options.forwardTo} is not an address such as localhost:3000/hooks.`);
  }
  try {
    await forwardAll(context, options, url);
  } catch (error) {
    // Ctrl-C is how a person ends it.
    if (!context.signal.aborted) throw error;
  }
}

export const addListenCommand = (program: Command): Command =>
  runs<ListenOptions>(
    program
      .command('listen')
      .option('--forward-to <address>', 'a receiver, such as localhost:3000/hooks')
      .option(
        '--since <place>',
        'a number, a time such as 10m, an instant, or last; omitted: from now on',
      )
      .option('--events <types>', 'only these types, with commas between them', listOption)
      .option('--print-secret', 'print the signing secret and end')
      .description('forward events to a receiver on this machine'),
    (context, _, options) => listen(context, options),
  );
