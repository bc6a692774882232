/** Sends a call: attempt after attempt, until there is an answer that counts. */

import type { Answer } from './api-call.ts';
import { makeAttempt } from './attempt.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { type Plan, planOf } from './plan.ts';
import { readRefusal } from './read-refusal.ts';
import type { ApiRequest } from './request.ts';
import { isRetryable, retryDelayMs } from './retry.ts';
import type { Settings } from './settings.ts';
import { sleep, untilAborted } from './sleep.ts';

/** Reads the body of a successful answer, in the time of its attempt. */
export type ReadBody<T> = (response: Response) => T | Promise<T>;

type Failure = ConnectionError | ApiError;
/** What `fetch` takes, by the types of the runtime at hand. */
type Sent = NonNullable<RequestInit['body']>;
type Outcome<T> = Answer<T> | Failure;

export async function send<T>(
  settings: Settings,
  request: ApiRequest,
  readBody: ReadBody<T>,
): Promise<Answer<T>> {
  const plan = planOf(settings, request);
  let mayBeExecuted = false;
  for (let number = 1; ; number++) {
    const outcome = await attemptWithCredentials(settings, plan, number, readBody);
    if (!(outcome instanceof Error)) return outcome;
    if (mayBeExecuted && isDeleted(plan, outcome)) return answerWithoutBody(outcome);
    if (number > plan.maxRetries || !isRetryable(outcome, plan.isRepeatable)) throw outcome;
    const delayMs = retryDelayMs(number, outcome);
    if (delayMs === undefined || Date.now() + delayMs >= plan.endsAt) throw outcome;
    mayBeExecuted ||= outcome instanceof ConnectionError || outcome.status >= 500;
    await sleep(delayMs, plan.signal);
  }
}

/** A DELETE whose answer was lost, and that finds nothing when it is repeated, has done its work. */
const isDeleted = (plan: Plan, failure: Failure): failure is ApiError =>
  plan.method === 'DELETE' && failure instanceof ApiError && failure.status === 404;

const answerWithoutBody = <T>({ headers, requestId, attempts }: ApiError): Answer<T> => ({
  data: undefined as T,
  response: new Response(null, { status: 204, headers }),
  requestId,
  attempts,
});

/** A token that was refused is replaced once, at once. */
async function attemptWithCredentials<T>(
  settings: Settings,
  plan: Plan,
  number: number,
  readBody: ReadBody<T>,
): Promise<Outcome<T>> {
  const { credentials } = plan;
  if (credentials === undefined) return attempt(settings, plan, number, readBody);
  for (let isRenewed = false; ; isRenewed = true) {
    const authorization = await untilAborted(credentials.authorization(), plan.signal);
    plan.headers['authorization'] = authorization;
    const outcome = await attempt(settings, plan, number, readBody);
    const isRefused = outcome instanceof ApiError && outcome.status === 401;
    if (!isRefused || isRenewed || !credentials.renew(authorization)) return outcome;
  }
}

async function attempt<T>(
  settings: Settings,
  plan: Plan,
  number: number,
  readBody: ReadBody<T>,
): Promise<Outcome<T>> {
  const { method, headers, body, signal } = plan;
  try {
    return await makeAttempt<Outcome<T>>({
      url: plan.url,
      init: {
        method,
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body: body as Sent }),
      },
      fetch: settings.fetch,
      timeoutMs: Math.max(1, Math.min(plan.timeoutMs, plan.endsAt - Date.now())),
      signal,
      isStreamed: plan.isStreamed,
      addressHint: settings.addressHint,
      number,
      read: async (response) =>
        response.ok
          ? answerOf(response, await readBody(response), number)
          : readRefusal(response, number, hintsOf(settings, plan)),
    });
  } catch (error) {
    // The reason of the caller's signal, and mistakes of the program, end the call.
    if (error instanceof ConnectionError || error instanceof ApiError) return error;
    throw error;
  }
}

const hintsOf = ({ addressHint }: Settings, { credentials }: Plan) => ({
  address: addressHint,
  key:
    credentials === undefined
      ? 'The client has no key: give it apiKey, or set TONEARM_API_KEY.'
      : undefined,
});

const answerOf = <T>(response: Response, data: T, attempts: number): Answer<T> => ({
  data,
  response,
  requestId: response.headers.get('x-request-id') ?? undefined,
  attempts,
});
