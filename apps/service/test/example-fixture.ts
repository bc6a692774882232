/**
 * Plays the story that the examples of the API tell (`src/kernel/example-story.ts`) on a real service, with the examples
 * themselves, as far as an operation needs it. The ids, URLs and secrets of the story stand for real ones.
 */

import assert from 'node:assert/strict';
import { datedExample, exampleIds } from '../src/kernel/example-story.ts';
import type { AnyOperation } from '../src/platform/http/operation.ts';
import { asObjectSchema } from '../src/platform/http/schema.ts';
import { openDeliveryFixture } from './delivery-fixture.ts';
import { type ChapterName, chapters, storyTexts, uploadedText } from './example-chapters.ts';
import { basicOf, formType } from './oauth-fixture.ts';
import { openReceiver } from './receiver.ts';
import type { OrgClient, Reply } from './test-service.ts';

export type Story = {
  readonly caller: OrgClient;
  /** The real text for a text of the story. */
  readonly real: Map<string, string>;
  /** Sends the request example of an operation. */
  readonly send: (operationId: string) => Promise<Reply>;
};

export type ExampleFixture = Awaited<ReturnType<typeof openExampleFixture>>;

export async function openExampleFixture() {
  const fixture = await openDeliveryFixture();
  const receiver = await openReceiver();
  const { service } = fixture;
  const operations = new Map(service.api.operations.map((each) => [each.id, each]));

  const begin = async (): Promise<Story> => {
    const caller = await service.givenOrganization({ tier: 'enterprise' });
    const real = new Map([
      [exampleIds.org, caller.orgId],
      [storyTexts.webhookUrl, receiver.url],
      [storyTexts.fileSize, String(uploadedText.length)],
    ]);
    const send = async (operationId: string): Promise<Reply> => {
      const operation = operations.get(operationId);
      assert.ok(operation !== undefined, `there is no operation ${operationId}`);
      return sendExample(operation, { caller, real });
    };
    return { caller, real, send };
  };

  /** Placeholders for dates are replaced first, then the texts of the story. */
  const realText = (text: string, real: ReadonlyMap<string, string>): string =>
    [...real].reduce(
      (before, [from, to]) => before.replaceAll(from, to),
      datedExample(text, service.clock.now()),
    );

  const sendExample = async (
    operation: AnyOperation,
    { caller, real }: Pick<Story, 'caller' | 'real'>,
  ): Promise<Reply> => {
    const { method, form, examples = {} } = operation;
    const path = realText(`${examplePath(operation)}${queryOf(examples.query)}`, real);
    if (form !== undefined) {
      const body = new URLSearchParams(examples.body as Record<string, string>);
      const text = realText(decodeURIComponent(body.toString()), real);
      return service.request(undefined, method, path, text, {
        ...formType,
        ...basicOf(clientOf(real)),
      });
    }
    const body = examples.body && JSON.parse(realText(JSON.stringify(examples.body), real));
    const headers = operationsWithKey.has(operation.id)
      ? { 'idempotency-key': storyTexts.idempotencyKey }
      : {};
    return caller.call(method, path, body, headers);
  };

  /** A new organization whose story was told up to and with the chapters that are named. */
  const tell = async (names: readonly ChapterName[]): Promise<Story> => {
    const story = await begin();
    for (const name of names) await chapters[name](story, fixture);
    return story;
  };

  return {
    fixture,
    tell,
    close: async () => {
      await receiver.close();
      await fixture.close();
    },
  };
}

/** The OAuth client of the story, which authenticates with HTTP Basic. */
const clientOf = (real: ReadonlyMap<string, string>) => ({
  id: real.get(exampleIds.oac) ?? '',
  secret: real.get(storyTexts.clientSecret) ?? '',
});

const operationsWithKey: ReadonlySet<string> = new Set(['createArtist']);

const queryOf = (query: Readonly<Record<string, string | number>> = {}): string => {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return text === '' ? '' : `?${text}`;
};

/** The path with the examples of its parameters, as the reference shows it. */
export function examplePath({ path, params }: AnyOperation): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const example = params && asObjectSchema(params).properties[name]?.examples?.[0];
    assert.ok(typeof example === 'string', `the parameter ${name} of ${path} needs an example`);
    return example;
  });
}
