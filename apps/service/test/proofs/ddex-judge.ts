/** What the store has, against what the service says. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import type { DdexScenario } from './ddex-scenario.ts';
import { completeBatches, type ProofStore } from './ddex-store.ts';
import type { Query } from './lasting-queries.ts';

export async function judgeDdex(
  query: Query,
  folder: string,
  { store, overlaps }: ProofStore,
  scenarios: readonly DdexScenario[],
) {
  const history = store.history();
  const readIds = history.map(({ messageId }) => messageId);
  const sent = await query<{ message_id: string; batch_id: string }>(
    `select message_id, batch_id from store_batches where state in ('complete', 'acknowledged', 'timed_out')`,
    [],
  );
  const sentIds = sent.map((row) => toWire('msg', row.message_id));
  const batchesOfOurs = new Set(sent.map((row) => row.batch_id));
  const wrong = await findWrongStates(query, store, scenarios);
  return {
    messages: sentIds.length,
    batches: completeBatches(folder).length,
    lost_messages: sentIds.filter((id) => !readIds.includes(id)).length,
    doubled_messages: readIds.length - new Set(readIds).size,
    unknown_batches: completeBatches(folder).filter((name) => !batchesOfOurs.has(name.slice(2)))
      .length,
    overlaps: overlaps.length,
    refused_by_checks: history.filter(({ problem }) => problem !== null).length,
    problems: history.flatMap(({ problem }) => problem ?? []).slice(0, 3),
    different_files: scenarios.reduce((sum, scenario) => sum + countDifferent(folder, scenario), 0),
    unfinished_files: scenarios.flatMap(({ release }) =>
      filesOf(folder, release.code).filter(isUnfinished),
    ).length,
    wrong_states: wrong.length,
    wrong_state_samples: wrong.slice(0, 3),
  };
}

async function findWrongStates(
  query: Query,
  { book }: ProofStore['store'],
  scenarios: readonly DdexScenario[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { release, deliveryId, isTakenDown, title } of scenarios) {
    const [row] = await query<{ status: string; update: object | null }>(
      'select status, update from delivery_stores where delivery_id = $1',
      [toUuid(deliveryId as Id<'dlv'>)],
    );
    const held = book().get(release.code);
    const isRight =
      row?.status === (isTakenDown ? 'taken_down' : 'delivered') &&
      held?.isLive === !isTakenDown &&
      (isTakenDown || title === '' || held.title === title);
    if (!isRight) wrong.push(JSON.stringify({ deliveryId, row, held, isTakenDown, title }));
  }
  return wrong;
}

/** Files at the store that are none of the release's, byte by byte. */
function countDifferent(folder: string, { release }: DdexScenario): number {
  const own = new Set(release.digests);
  return filesOf(folder, release.code)
    .filter((path) => !path.endsWith('.xml') && !isUnfinished(path))
    .filter((path) => !own.has(hash('sha256', readFileSync(path)))).length;
}

/**
 * Stores leave this ending alone. The server may execute a request of a killed worker after the next attempt has renamed
 * the file: then an empty one stays.
 */
const isUnfinished = (path: string): boolean => path.endsWith('.part');

const filesOf = (folder: string, code: string): readonly string[] =>
  completeBatches(folder).flatMap((name) => filesBelow(join(folder, name, code)));

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    // The batch is of another release.
    return [];
  }
}
