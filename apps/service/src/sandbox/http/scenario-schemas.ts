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
import { actions, messageKinds, flagResolutions, stepsMax, timesMax } from '../domain/scenario.ts';
import { Duration } from './sandbox-schemas.ts';

const LaterActionBody = Type.Object(
  {
    action: OneOf(laterActionNames, {
      description:
        'flag: the store asks for something (action_required). remove: it takes the release down (taken_down_by: store).',
    }),
    after: Duration(
      'At least 1s. Counted from the action before it; the first from when the store has the release, or the update: from its positive answer or, at a store that does not announce availability, from when the release counts as live.',
    ),
    code: Type.Optional(Text(100, { description: 'For flag.' })),
    reason: Type.Optional(MultilineText(2_000, { description: 'For flag: a text for people.' })),
  },
  { ...closed, title: 'ScenarioLaterAction' },
);

export const StepBody = Type.Object(
  {
    action: OneOf(actions, {
      description:
        'confirm, reject or flag the message; delay the usual answer, give it late (after expected_by), lose it, duplicate it; outage: the store cannot be reached, and the next step follows when it can be again. How a store confirms depends on its capabilities.confirmation: live announces availability, ingest sends a receipt, none says nothing.',
    }),
    after: Type.Optional(
      Duration(
        'When the answer comes, instead of the usual time. For delay: how much later than usual; for late: how long after expected_by.',
      ),
    ),
    code: Type.Optional(Text(100, { description: 'For reject (required) and flag.' })),
    reason: Type.Optional(
      MultilineText(2_000, { description: 'For reject and flag: a text for people.' }),
    ),
    resolves: Type.Optional(
      OneOf(flagResolutions, { description: 'For flag: how the store resolves it by itself.' }),
    ),
    resolves_after: Type.Optional(Duration('For flag with resolves: how long after the flag.')),
    times: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: timesMax,
        description: 'For duplicate: how often the answer comes; 2 when omitted.',
      }),
    ),
    lasts: Type.Optional(
      Duration(
        'For outage (required): how long it lasts from the first attempt to send the message.',
      ),
    ),
    then: Type.Optional(
      Type.Array(LaterActionBody, {
        minItems: 1,
        maxItems: laterActionsMax,
        description:
          'For confirm, delay, late and duplicate: what the store does with the release afterwards. Nothing can follow a remove. Not for takedowns: refused if message is takedown, otherwise ignored by them.',
      }),
    ),
    chance: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 1,
        description:
          'The probability of the step; otherwise the store does what it usually does. The outcome depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same outcome.',
      }),
    ),
  },
  { ...closed, title: 'ScenarioStep' },
);

const scenarioFields = {
  name: Type.Optional(Nullable(Text(200, { description: 'Your own note.' }))),
  store_id: Type.Optional(
    Nullable(Type.String({ maxLength: 50, description: 'Every store when omitted.' })),
  ),
  release_id: Type.Optional(Nullable(Reference('rel', 'Every release when omitted.'))),
  message: Type.Optional(
    Nullable(OneOf(messageKinds, { description: 'Every kind of message when omitted.' })),
  ),
  seed: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: '0 when omitted.' }),
  ),
  repeats: Type.Optional(
    Type.Boolean({
      description:
        'Whether the first step follows the last one; otherwise the store then does what it usually does.',
    }),
  ),
};

export const CreateScenarioBody = Type.Object(
  {
    steps: Type.Array(StepBody, {
      minItems: 1,
      maxItems: stepsMax,
      description:
        'The first message of a delivery to a store meets the first step, the next message (a resubmission, an update, a takedown) the next step.',
    }),
    ...scenarioFields,
  },
  { ...closed, title: 'CreateScenario', 'x-read-only': ['id', 'created_at'] },
);

export const ScenarioBody = Type.Object(
  {
    id: IdOf('scn'),
    name: Nullable(Type.String()),
    store_id: Nullable(Type.String()),
    release_id: Nullable(IdOf('rel')),
    message: Nullable(OneOf(messageKinds)),
    seed: Type.Integer(),
    steps: Type.Array(StepBody),
    repeats: Type.Boolean(),
    created_at: Timestamp(
      'When it was created. If several scenarios match a message, the newest applies.',
    ),
  },
  { ...closed, title: 'Scenario' },
);
