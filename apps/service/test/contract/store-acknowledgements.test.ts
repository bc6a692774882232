/**
 * What the acknowledgements of stores mean for a delivery. contract §3: "in_progress → delivered | rejected |
 * action_required"; spec §3: "A store rejects: per-store rejection_reason and rejection_code are set"; catalogue §1.3:
 * "confirmation: live (announces availability), ingest (only "ingested"), none".
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readReports } from '../../src/delivery/connectors/ddex/read-reports.ts';
import { heldAfter, toAnswer } from '../../src/delivery/connectors/ddex/to-answer.ts';

type Content = {
  readonly status?: string;
  readonly fileStatus?: string;
  readonly reason?: string;
  readonly action?: string;
  readonly isManual?: boolean;
};

function reportOf({ status, fileStatus = 'FileOK', reason, action, isManual }: Content) {
  const optional = (name: string, text: string | undefined) =>
    text === undefined ? '' : `<${name}>${text}</${name}>`;
  const xml = `<AcknowledgementMessage><ReleaseStatus><ReleaseId><ICPN>0123456789012</ICPN></ReleaseId>
    ${optional('ReleaseStatus', status)}${optional('ErrorText', reason)}${optional('ProposedActionType', action)}
    ${optional('ManualCheckRequired', isManual === true ? 'true' : undefined)}
    <Acknowledgement><MessageId>msg_1</MessageId><MessageStatus><Status>${fileStatus}</Status></MessageStatus></Acknowledgement>
    </ReleaseStatus></AcknowledgementMessage>`;
  const [report] = readReports(Buffer.from(xml)) ?? [];
  assert.ok(report);
  return report;
}
const kindOf = (content: Content, kind: 'deliver' | 'takedown' = 'deliver') =>
  toAnswer(reportOf(content), kind, 'live')?.kind;

describe('contract §3: an acknowledgement moves a store delivery', () => {
  const meanings = {
    ReleaseReceivedByReleaseDistributor: ['acknowledged', 'acknowledged'],
    SuccessfullyIngestedByReleaseDistributor: ['acknowledged', 'removed'],
    ReleaseStagedForPublication: ['acknowledged', 'removed'],
    ReleaseMadeAvailableToConsumers: ['delivered', 'removed'],
    ProcessingErrorAtReleaseDistributor: ['rejected', 'removal_refused'],
    RightsConflict: ['action_required', 'removal_refused'],
    ReleaseViolatesTermsOfService: ['action_required', 'removal_refused'],
    SomethingOfTheStoresOwn: [undefined, undefined],
  };
  for (const [status, [delivery, takedown]] of Object.entries(meanings)) {
    test(`${status}: ${delivery ?? 'nothing'}, of a takedown: ${takedown ?? 'nothing'}`, () => {
      assert.equal(kindOf({ status }), delivery);
      assert.equal(kindOf({ status }, 'takedown'), takedown);
    });
  }

  test('a manual check at the store needs action, whatever else it says', () => {
    const status = 'ReleaseStagedForPublication';
    assert.equal(kindOf({ status, isManual: true }), 'action_required');
  });

  test('without a status of the release, the statuses of its files decide', () => {
    assert.equal(kindOf({}), 'acknowledged');
    assert.equal(kindOf({ fileStatus: 'ResourceCorrupt' }), 'rejected');
  });
});

describe('spec §3: "Per-store rejection_reason and rejection_code are set"', () => {
  const status = 'ProcessingErrorAtReleaseDistributor';
  const rejectionOf = (content: Content) => {
    const answer = toAnswer(reportOf({ status, ...content }), 'deliver', 'live');
    return answer !== undefined && 'rejection' in answer ? answer.rejection : undefined;
  };

  test('the code is the ErncFileStatus, the reason the ErrorText', () => {
    assert.deepEqual(
      rejectionOf({ fileStatus: 'ResourceCorrupt', reason: 'Track 1 ends early.' }),
      {
        code: 'ResourceCorrupt',
        reason: 'Track 1 ends early.',
      },
    );
  });

  test('a store that blames no file: the code is its status', () => {
    assert.equal(rejectionOf({ reason: 'No.' })?.code, status);
  });

  test('words and numbers of a hostile file are cut', () => {
    const { fileStatuses } = reportOf({ status, fileStatus: 'x'.repeat(100_000) });
    assert.equal(fileStatuses[0]?.length, 200);
    const ids = '<Acknowledgement><MessageId>m</MessageId></Acknowledgement>'.repeat(3_000);
    const xml = `<AcknowledgementMessage><ReleaseStatus><ReleaseId><ICPN>${'1'.repeat(99)}</ICPN></ReleaseId>${ids}</ReleaseStatus></AcknowledgementMessage>`;
    const [report] = readReports(Buffer.from(xml)) ?? [];
    assert.equal(report?.messageIds.length, 20);
    assert.equal(report?.productCode, null);
  });
});

describe('catalogue §1.3: stores differ in what they confirm', () => {
  test('at a store that confirms the ingestion, a receipt is not that yet', () => {
    const receipt = reportOf({ status: 'ReleaseReceivedByReleaseDistributor' });
    assert.equal(toAnswer(receipt, 'deliver', 'ingest'), undefined);
    const ingested = reportOf({ status: 'SuccessfullyIngestedByReleaseDistributor' });
    assert.equal(toAnswer(ingested, 'deliver', 'ingest')?.kind, 'acknowledged');
  });

  test('after a refusal the store has no file of ours, unless it asks for the message only', () => {
    const heldOf = (action: string) => {
      const report = reportOf({ status: 'ProcessingErrorAtReleaseDistributor', action });
      return heldAfter(report, toAnswer(report, 'deliver', 'live'));
    };
    assert.deepEqual(heldOf('ResendXmlAndResources'), []);
    assert.equal(heldOf('ResendXmlOnly'), undefined);
  });
});
