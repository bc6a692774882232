/** The schemas of scenarios (contract §4). */

import { Type } from 'typebox';
import {
  closed,
  IdOf,
  MultilineText,
  Nullable,
  OneOf,
  Reference,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import { laterActionNames, laterActionsMax } from '../domain/later-action.ts';
import {
  actions,
  fieldsOf,
  flagResolutions,
  isPayoutAction,
  requiredOf,
  scenarioMessages,
  stepsMax,
  timesMax,
} from '../domain/scenario.ts';
import { oneOfActions } from './one-of-actions.ts';
import { Duration } from './sandbox-schemas.ts';

const LaterActionFields = Type.Object(
  {
    action: OneOf(laterActionNames, {
      description:
        '`flag`: the store asks for something (`action_required`). `remove`: the store takes the release down (`taken_down_by` is `store`).',
    }),
    after: Duration(
      'How long after the previous action, at least `1s`. The first action counts from when the store has the release or the update: from its positive answer or, at a store that does not announce availability, from when the release counts as live.',
    ),
    code: Type.Optional(Text(100, { description: 'The rejection code of `flag`.' })),
    reason: Type.Optional(
      MultilineText(2_000, { description: 'The reason of `flag`, for people.' }),
    ),
  },
  { ...closed, title: 'ScenarioLaterAction' },
);

const LaterActionBody = {
  ...LaterActionFields,
  ...oneOfActions('ScenarioLaterAction', LaterActionFields.properties, [
    { action: 'flag', fields: ['after', 'code', 'reason'], required: ['after'] },
    { action: 'remove', fields: ['after'], required: ['after'] },
  ]),
};

const StepFields = Type.Object(
  {
    action: OneOf(actions, {
      description:
        '`confirm`, `reject` or `flag`: the store answers the message so. `delay`: the usual answer comes later. `late`: it comes after `expected_by`. `lose`: it never comes. `duplicate`: it comes several times. `outage`: the store cannot be reached, and the next step follows when it can be again. How a store confirms depends on its `capabilities.confirmation`: `live` announces availability, `ingest` sends a receipt, `none` sends nothing. With `message` `payout`: `accept`, `refuse`: the rail does so. `unknown`: the rail accepts the payment and breaks the connection, so the payout stays `processing` until the rail is asked. `slow`: the rail accepts it after a delay. `bounce`: it accepts the payment, which comes back later. `review`, `review_at_cut_off`: the screening asks for a compliance review when the payout is created, or at its cut-off.',
    }),
    after: Type.Optional(
      Duration(
        'When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it.',
      ),
    ),
    code: Type.Optional(
      Text(100, {
        description:
          'The rejection code, for `reject` (required) and `flag`. The failure code of the payout, for `refuse` (required) and `bounce`.',
      }),
    ),
    reason: Type.Optional(
      MultilineText(2_000, { description: 'The reason, for people, for `reject` and `flag`.' }),
    ),
    resolves: Type.Optional(
      OneOf(flagResolutions, { description: 'For `flag`: how the store resolves it by itself.' }),
    ),
    resolves_after: Type.Optional(Duration('For `flag` with `resolves`: how long after the flag.')),
    times: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: timesMax,
        description: 'For `duplicate`: how often the answer comes. If you omit it, 2 times.',
      }),
    ),
    lasts: Type.Optional(
      Duration(
        'For `outage` (required): how long it lasts, from the first attempt to send the message.',
      ),
    ),
    then: Type.Optional(
      Type.Array(LaterActionBody, {
        minItems: 1,
        maxItems: laterActionsMax,
        description:
          'For `confirm`, `delay`, `late` and `duplicate`: what the store does with the release afterwards. Nothing can follow a `remove`. Takedowns do not use it: it is refused if `message` is `takedown`, and otherwise ignored for takedowns.',
      }),
    ),
    chance: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 1,
        description:
          'The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result.',
      }),
    ),
  },
  { ...closed, title: 'ScenarioStep' },
);

/** `refuseSteps` says which field an action lacks or does not use. */
export const StepBody = {
  ...StepFields,
  ...oneOfActions(
    'ScenarioStep',
    StepFields.properties,
    actions.map((action) => ({
      action,
      fields: [...fieldsOf[action], ...(isPayoutAction(action) ? [] : ['chance'])],
      required: [requiredOf[action] ?? []].flat(),
    })),
  ),
};

const scenarioFields = {
  name: Type.Optional(Nullable(Text(200, { description: 'A note of your own.' }))),
  store_id: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 50,
        description: 'The store that the scenario applies to. If you omit it, every store.',
      }),
    ),
  ),
  release_id: Type.Optional(
    Nullable(
      Reference('rel', 'The release that the scenario applies to. If you omit it, every release.'),
    ),
  ),
  message: Type.Optional(
    Nullable(
      OneOf(scenarioMessages, {
        description:
          'The kind of message that the scenario applies to. `payout`: what the screening and the rail do with payouts. If you omit it, every kind of message to a store.',
      }),
    ),
  ),
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The seed of the steps with a `chance`. If you omit it, 0.',
    }),
  ),
  repeats: Type.Optional(
    Type.Boolean({
      description:
        '`true`: after the last step the first one follows. `false`: the store then does what it usually does.',
    }),
  ),
};

export const CreateScenarioBody = Type.Object(
  {
    steps: Type.Array(StepBody, {
      minItems: 1,
      maxItems: stepsMax,
      description:
        'What the store does with each message. The first message of a delivery to a store gets the first step; the next message (a resubmission, an update or a takedown) gets the next step. Of payouts: the first payout that is created gets the first step, the next payout the next step.',
    }),
    ...scenarioFields,
  },
  { ...closed, title: 'CreateScenario', 'x-read-only': ['id', 'created_at'] },
);

export const ScenarioBody = Type.Object(
  {
    id: IdOf('scn'),
    name: Nullable(Type.String({ description: 'A note of your own. `null`: you sent none.' })),
    store_id: Nullable(
      Type.String({ description: 'The store that the scenario applies to. `null`: every store.' }),
    ),
    release_id: Nullable(IdOf('rel')),
    message: Nullable(
      OneOf(scenarioMessages, {
        description:
          'The kind of message that the scenario applies to. `payout`: payouts. `null`: every kind of message to a store.',
      }),
    ),
    seed: Type.Integer({ description: 'The seed of the steps with a `chance`.' }),
    steps: Type.Array(StepBody, {
      description:
        'What the store does with each message of a delivery: the first step is for the first message. With `message` `payout`: what happens to each payout.',
    }),
    repeats: Type.Boolean({
      description:
        '`true`: after the last step the first one follows. `false`: the store then does what it usually does.',
    }),
    created_at: Timestamp(
      'When the scenario was created. If several scenarios match a message, the newest applies.',
    ),
  },
  { ...closed, title: 'Scenario' },
);
