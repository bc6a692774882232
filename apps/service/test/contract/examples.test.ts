/**
 * Every request example is sent to a real api and must succeed; every answer example must fit its schema and have the
 * fields of the real answer (contract §4). The cases come from the route table: an operation without examples fails.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { listOperations } from '../../src/app/openapi.ts';
import { datedExample } from '../../src/kernel/example-story.ts';
import type { AnyOperation } from '../../src/platform/http/operation.ts';
import type { ChapterName } from '../example-chapters.ts';
import {
  type ExampleFixture,
  examplePath,
  openExampleFixture,
  type Story,
} from '../example-fixture.ts';
import { shapeDifferences } from '../same-shape.ts';
import type { Reply } from '../test-service.ts';

const draft: readonly ChapterName[] = ['artist', 'defaultLabel', 'draft'];
const complete: readonly ChapterName[] = [...draft, 'files', 'tracks', 'artwork'];
const submitted: readonly ChapterName[] = [...complete, 'submission'];
const sent: readonly ChapterName[] = [...submitted, 'delivery'];
const answered: readonly ChapterName[] = [...sent, 'answers'];

const payable: readonly ChapterName[] = ['payoutMethod', 'taxProfile', 'earnings'];

/** The whole story, which every operation that is not listed below only reads. */
const everything: readonly ChapterName[] = [
  'webhook',
  'otherArtist',
  ...answered,
  'events',
  'oauthClient',
  'apiKey',
  ...payable,
  'payout',
  'scenario',
  'held',
  'report',
  'inbox',
  'money',
  'statement',
  'requests',
];

/** What must have happened in a new organization before the request. */
const needs: Readonly<Record<string, readonly ChapterName[]>> = {
  createRelease: ['artist', 'defaultLabel'],
  updateRelease: [...draft, 'files', 'tracks'],
  deleteRelease: draft,
  validateRelease: [...complete, 'finding'],
  applyFixes: [...complete, 'finding'],
  submitRelease: complete,
  createTrack: [...draft, 'files'],
  updateTrack: complete,
  deleteTrack: complete,
  createTracks: [...draft, 'files'],
  updateTracks: complete,
  createArtist: [],
  updateArtist: ['artist'],
  deleteArtist: ['artist'],
  mergeArtist: ['artist', 'otherArtist'],
  createLabel: [],
  updateLabel: ['label'],
  deleteLabel: ['label'],
  createAsset: [],
  completeAsset: ['upload'],
  createDelivery: submitted,
  resubmitDelivery: [...answered, 'correction'],
  updateDelivery: [...answered, 'correction'],
  takeDownDelivery: answered,
  createDeliveryJob: submitted,
  getDeliveryJob: [...submitted, 'job'],
  dryRunDelivery: submitted,
  redeliverEvent: ['webhook', 'artist', 'draft', 'events'],
  createWebhook: [],
  updateWebhook: ['webhook'],
  deleteWebhook: ['webhook'],
  pingWebhook: ['webhook'],
  rotateWebhookSecret: ['webhook'],
  redeliverToWebhook: ['webhook'],
  createOAuthClient: [],
  deleteOAuthClient: ['oauthClient'],
  addOAuthSecret: ['oauthClient'],
  revokeOAuthSecret: ['oauthClient', 'otherSecret'],
  createAccessToken: ['oauthClient'],
  updateOrganization: ['defaultLabel'],
  createApiKey: [],
  revokeApiKey: ['apiKey'],
  createPayoutMethod: [],
  approvePayoutMethod: ['requestedMethod'],
  deletePayoutMethod: ['payoutMethod'],
  updateTaxProfile: [],
  updatePayoutSchedule: [],
  createPayout: payable,
  cancelPayout: [...payable, 'payout'],
  setSandboxClockMode: [],
  advanceSandboxClock: ['manualClock'],
  createScenario: [],
  createSandboxReport: ['held'],
  receiveErn: ['defaultLabel'],
  deleteScenarios: ['scenario'],
  deleteScenario: ['scenario'],
  resetSandbox: [],
  answerForStore: sent,
  decideSandboxRights: [...sent, 'rightsReview'],
  setSandboxVerification: ['defaultLabel'],
  tellInbox: ['inbox'],
  emptyInbox: ['inbox'],
  receiveInInbox: ['inbox'],
};

const now = new Date();
const successOf = ({ answers }: AnyOperation) => Object.entries(answers)[0] ?? [];
const operations = await listOperations();

describe('contract §4: the examples of the API', () => {
  let fixture: ExampleFixture;
  let wholeStory: Promise<Story> | undefined;
  before(async () => {
    fixture = await openExampleFixture();
  });
  after(() => fixture.close());

  /** A new organization for each request that changes something; all others share one. */
  const storyFor = ({ id }: AnyOperation): Promise<Story> => {
    const chapters = needs[id];
    return chapters === undefined
      ? (wholeStory ??= fixture.tell(everything))
      : fixture.tell(chapters);
  };

  test('there are operations, and each that needs chapters exists', () => {
    assert.ok(operations.length > 90);
    const ids = new Set(operations.map(({ id }) => id));
    assert.deepEqual(
      Object.keys(needs).filter((id) => !ids.has(id)),
      [],
    );
  });

  for (const operation of operations) {
    const { id, body, form, examples = {} } = operation;
    const [status, answer] = successOf(operation);

    test(`${id}: its examples are there and fit their schemas`, () => {
      examplePath(operation);
      const request = body ?? form;
      if (request !== undefined) {
        assert.ok(examples.body !== undefined, `${id} needs an example of its body`);
        assert.deepEqual(Compile(request).Errors(datedExample(examples.body, now)), []);
      }
      if (answer === null || answer === undefined) return;
      assert.ok(examples.answer !== undefined, `${id} needs an example of its answer`);
      assert.deepEqual(Compile(answer).Errors(datedExample(examples.answer, now)), []);
    });

    test(`${id}: the api accepts its example, and answers with the same fields`, async () => {
      const story = await storyFor(operation);
      const reply = await story.send(id);
      assert.equal(String(reply.status), status, reply.text);
      if (answer === null) return;
      const shown = datedExample(examples.answer, now);
      if (typeof shown === 'string') assert.equal(firstLine(reply.text), firstLine(shown));
      else assert.deepEqual(shapeDifferences(shown, answerOf(reply)), []);
    });
  }
});

const firstLine = (text: string): string => text.slice(0, text.indexOf('\n'));

/** Of lines, the first. */
const answerOf = ({ json, text }: Reply): unknown => json ?? JSON.parse(firstLine(text));
