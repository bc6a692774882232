/**
 * Writes are sent without waiting, so the statement that fails is seldom the one that is awaited. A transaction fails
 * with the first error, not with "current transaction is aborted" (25P02) of the statements after it; and writes
 * before a refusal that is caught are rolled back (`tx.withSavepoint`).
 */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Type } from 'typebox';
import { sandboxQuotas } from '../src/identity/face.ts';
import { parseId } from '../src/kernel/ids.ts';
import { Problem } from '../src/kernel/problem.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import type { Tx } from '../src/platform/db/database.ts';
import { sql } from '../src/platform/db/sql.ts';
import { noContent } from '../src/platform/http/answer.ts';
import type { Server } from '../src/platform/http/fastify-types.ts';
import { mutation } from '../src/platform/http/mutation.ts';
import { buildServer } from '../src/platform/http/server.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import { type OrgClient, openTestService, unlimited, type TestService } from './test-service.ts';

const refusal = () => new Problem('invalid_state', 'No.');
const isCode = (code: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === code;

describe('the first failure is reported', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
    await service.query(
      `create table notes (name text primary key, count integer not null default 0)`,
    );
    await service.query(`grant select, insert, update on notes to tonearm_app`);
    // Connections that open after this detect a deadlock at once.
    await service.query(`alter database ${service.database} set deadlock_timeout = '10ms'`);
  });
  after(() => service.close());
  beforeEach(() => service.query('truncate notes'));

  const orgId = () => parseId('org', label.orgId) ?? assert.fail();
  const transact = <T>(work: Parameters<typeof service.db.transact<T>>[1]): Promise<T> =>
    service.db.transact({ orgId: orgId(), actor: { type: 'workflow', id: 'test' } }, work);
  const write = (tx: Tx, ...names: string[]) => {
    for (const name of names) tx.write(sql`insert into notes (name) values (${name})`);
  };
  const increment = (tx: Tx, name: string) =>
    tx.write(sql`update notes set count = count + 1 where name = ${name}`);
  const read = (tx: Tx) => tx.query(sql`select 1`);
  const names = async (): Promise<string[]> =>
    (await service.query('select name from notes order by name')).map(({ name }) => name);
  const expectRefused = async (tx: Tx, work: () => Promise<unknown>): Promise<void> => {
    await assert.rejects(tx.withSavepoint(work), Problem);
  };

  describe('of a transaction', () => {
    test('an awaited query after a failed write rejects with the error of the write', async () => {
      const work = async (tx: Tx) => {
        write(tx, 'a', 'a', 'b');
        await read(tx);
      };
      await assert.rejects(transact(work), isCode('23505'));
      assert.deepEqual(await names(), []);
    });

    test('a refusal after a failed write may be based on wrong data: the error of the write is reported', async () => {
      const work = async (tx: Tx) => {
        write(tx, 'a', 'a');
        throw refusal();
      };
      await assert.rejects(transact(work), isCode('23505'));
    });

    test('an awaited query that fails first is reported, not the writes after it', async () => {
      const work = async (tx: Tx) => {
        write(tx, 'a');
        const failing = tx.query(sql`select 1 / 0`);
        write(tx, 'b');
        await failing;
      };
      await assert.rejects(transact(work), isCode('22012'));
    });

    test('a query that was asked for in the turn of a refusal is rolled back with the transaction', async () => {
      const work = async (tx: Tx) => {
        tx.query(sql`insert into notes (name) values ('a') returning name`).catch(() => undefined);
        throw refusal();
      };
      await assert.rejects(transact(work), Problem);
      assert.deepEqual(await names(), []);
    });

    test('a query that fails in the turn of a refusal does not keep the savepoint from being rolled back', async () => {
      await transact(async (tx) => {
        write(tx, 'a');
        await expectRefused(tx, async () => {
          tx.query(sql`select 1 / 0`).catch(() => undefined);
          throw refusal();
        });
        write(tx, 'b');
      });
      assert.deepEqual(await names(), ['a', 'b']);
    });

    test('a failed write that is never awaited fails the commit with its own error', async () => {
      await assert.rejects(
        transact(async (tx) => write(tx, 'a', 'a', 'b')),
        isCode('23505'),
      );
    });

    test('undo after a failed write rejects with its error; after a refusal it rolls back, and further writes succeed', async () => {
      await assert.rejects(
        transact(async (tx, { undo }) => {
          write(tx, 'a', 'a');
          await undo();
        }),
        isCode('23505'),
      );
      await transact(async (tx, { undo }) => {
        write(tx, 'a');
        await expectRefused(tx, async () => {
          write(tx, 'b');
          throw refusal();
        });
        await tx.withSavepoint(async () => write(tx, 'c'));
        await undo();
        write(tx, 'd');
      });
      assert.deepEqual(await names(), ['d']);
    });
  });

  describe('of a savepoint', () => {
    test('a refusal rolls back the writes in it, and no others', async () => {
      await transact(async (tx) => {
        write(tx, 'before');
        await expectRefused(tx, async () => {
          write(tx, 'in it');
          await read(tx);
          throw refusal();
        });
        write(tx, 'behind');
      });
      assert.deepEqual(await names(), ['before', 'behind']);
    });

    test('its writes stay if it succeeds, and its result is returned', async () => {
      const returned = await transact((tx) =>
        tx.withSavepoint(async () => {
          write(tx, 'in it');
          return 7;
        }),
      );
      assert.deepEqual([returned, await names()], [7, ['in it']]);
    });

    test('nested savepoints: the outer one also rolls back its writes before the inner one was refused', async () => {
      await transact(async (tx) => {
        write(tx, 'before');
        await expectRefused(tx, async () => {
          write(tx, 'outer, before');
          await expectRefused(tx, async () => {
            write(tx, 'inner');
            throw refusal();
          });
          write(tx, 'outer, behind');
          throw refusal();
        });
        write(tx, 'behind');
      });
      assert.deepEqual(await names(), ['before', 'behind']);
    });

    test('an inner one that succeeded is rolled back with the outer one', async () => {
      await transact(async (tx) => {
        await expectRefused(tx, async () => {
          await tx.withSavepoint(async () => write(tx, 'inner'));
          throw refusal();
        });
        await tx.withSavepoint(async () => write(tx, 'next'));
      });
      assert.deepEqual(await names(), ['next']);
    });

    test('many in a row: refused ones are rolled back, the others stay', async () => {
      await transact(async (tx) => {
        for (const [i, isRefused] of [true, false, true, true, false].entries()) {
          const work = async () => {
            write(tx, `${i}`);
            if (isRefused) throw refusal();
          };
          if (isRefused) await expectRefused(tx, work);
          else await tx.withSavepoint(work);
        }
      });
      assert.deepEqual(await names(), ['1', '4']);
    });

    test('a failed write in it is thrown instead of the refusal after it', async () => {
      const work = (tx: Tx) =>
        tx.withSavepoint(async () => {
          write(tx, 'a', 'a');
          throw refusal();
        });
      await assert.rejects(transact(work), isCode('23505'));
    });

    test('a failed write in a nested savepoint is thrown to a caller that catches only refusals', async () => {
      const work = (tx: Tx) =>
        tx.withSavepoint(async () => {
          write(tx, 'outer');
          await tx
            .withSavepoint(async () => {
              write(tx, 'a', 'a');
              await read(tx);
            })
            .catch((error: unknown) => {
              if (!(error instanceof Problem)) throw error;
            });
        });
      await assert.rejects(transact(work), isCode('23505'));
      assert.deepEqual(await names(), []);
    });

    test('a failed write in the outer one is still reported after a refusal of the inner one', async () => {
      const work = (tx: Tx) =>
        tx.withSavepoint(async () => {
          write(tx, 'a', 'a');
          await tx
            .withSavepoint(async () => {
              throw refusal();
            })
            .catch((error: unknown) => {
              if (!(error instanceof Problem)) throw error;
            });
          write(tx, 'b');
        });
      await assert.rejects(transact(work), isCode('23505'));
      assert.deepEqual(await names(), [], 'nothing is committed');
    });

    test('a caught failure in it leaves the transaction usable', async () => {
      await transact(async (tx) => {
        write(tx, 'before');
        await assert.rejects(
          tx.withSavepoint(async () => {
            write(tx, 'a', 'a');
            await read(tx);
          }),
          isCode('23505'),
        );
        write(tx, 'behind');
      });
      assert.deepEqual(await names(), ['before', 'behind']);
    });

    test('a write that failed before it is reported, although the savepoint is refused', async () => {
      for (const work of [
        async (tx: Tx) => {
          write(tx, 'a', 'a');
          await tx.withSavepoint(async () => {
            throw refusal();
          });
        },
        async (tx: Tx) => {
          write(tx, 'a', 'a');
          await tx.withSavepoint(() => read(tx));
        },
        // A caller that catches only refusals must not get a refusal here.
        async (tx: Tx) => {
          write(tx, 'a', 'a');
          await tx
            .withSavepoint(async () => {
              write(tx, 'b');
              throw refusal();
            })
            .catch((error: unknown) => {
              if (!(error instanceof Problem)) throw error;
            });
        },
      ]) {
        await assert.rejects(transact(work), isCode('23505'));
      }
      assert.deepEqual(await names(), []);
    });
  });

  describe('of a request', () => {
    let server: Server;
    const commands: Record<string, (tx: Tx) => Promise<void>> = {};
    before(async () => {
      const { db, clock, keyring } = service;
      server = buildServer({
        newId: createIds(clock),
        authenticate: async () => ({
          orgId: orgId(),
          actor: { type: 'workflow', id: 'test' },
          scopes: new Set(['releases:write']),
          tier: 'growth',
          isSuspended: false,
          ratePolicy: { perMinute: 1_000, perSecond: 1_000 },
          quotas: sandboxQuotas,
        }),
        limits: {
          limiter: unlimited,
          anonymous: { perMinute: 1_000, perSecond: 1_000 },
          pages: { perMinute: 1_000, perSecond: 1_000 },
        },
        recordDeprecatedUse: async () => undefined,
        proxyHops: 0,
        publicUrl: undefined,
        logger: createLogger('info', { write: () => undefined }),
        isDraining: () => false,
      });
      mutation(
        server,
        { db, clock, keyring },
        {
          id: 'run',
          action: 'test.run',
          effect: 'changes',
          tag: 'Test',
          summary: 'Run a command',
          method: 'POST',
          path: '/v1/run/:name',
          scope: 'releases:write',
          params: Type.Object({ name: Type.String() }),
          answers: { 204: null },
          problems: [],
        },
        async (tx, { params: { name } }) => {
          await commands[name]?.(tx);
          return { answer: noContent(), auditedId: name, before: undefined };
        },
      );
      await server.ready();
    });
    after(() => server.close());

    const run = async (name: string, command: (tx: Tx) => Promise<void>): Promise<number> => {
      commands[name] = command;
      const headers = { 'x-api-key': 'k' };
      const { statusCode } = await server.inject({
        method: 'POST',
        url: `/v1/run/${name}`,
        headers,
      });
      return statusCode;
    };

    test('a unique violation in a write: the request runs again and reads the row that was first', async () => {
      await service.query(`insert into notes (name) values ('a')`);
      let attempts = 0;
      const status = await run('unique', async (tx) => {
        if (++attempts === 1) write(tx, 'a');
        await read(tx);
      });
      assert.deepEqual([status, attempts], [204, 2]);
    });

    test('a deadlock of two writes that are not awaited: one of the requests runs again, both succeed', async () => {
      await service.query(`insert into notes (name) values ('a'), ('b')`);
      let [attempts, arrived] = [0, 0];
      let open: () => void = () => undefined;
      const bothHoldOneLock = new Promise<void>((resolve) => (open = resolve));
      const crossing = (first: string, second: string) => async (tx: Tx) => {
        attempts++;
        increment(tx, first);
        await read(tx);
        if (++arrived === 2) open();
        await bothHoldOneLock;
        increment(tx, second);
        await read(tx);
      };
      const statuses = await Promise.all([
        run('forth', crossing('a', 'b')),
        run('back', crossing('b', 'a')),
      ]);
      assert.deepEqual(statuses, [204, 204]);
      // A second deadlock happens if the repeated request gets its first lock before the other one is woken.
      assert.ok(attempts >= 3, `${attempts} attempts`);
      const counts = await service.query('select count from notes');
      assert.deepEqual(counts, [{ count: 2 }, { count: 2 }]);
    });

    test('a lock timeout in a write is 503, not 500', async () => {
      await service.query(`insert into notes (name) values ('a')`);
      const status = await transact(async (locker) => {
        await locker.query(sql`update notes set count = 9 where name = 'a'`);
        return run('slow', async (tx) => {
          await tx.query(sql`select set_config('lock_timeout', '20ms', true)`);
          increment(tx, 'a');
          await read(tx);
        });
      });
      assert.equal(status, 503);
    });
  });
});
