import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfirmationNeeded, createConfirmations } from '../../src/mcp/confirmation.ts';

describe('confirmation without elicitation', () => {
  const args = { delivery_id: 'dlv_1', stores: ['aurora'] };
  const open = () => {
    const clock = { now: 0 };
    const confirm = createConfirmations(() => clock.now);
    const repeat = (given: Record<string, unknown>, tool = 'take_down_delivery') =>
      confirm(tool, given, 'Takes it down.', undefined);
    const tokenFor = async (given: Record<string, unknown>): Promise<string> => {
      const needed = await repeat(given).catch((error: unknown) => error);
      assert.ok(needed instanceof ConfirmationNeeded);
      return needed.token;
    };
    return { clock, tokenFor, repeat };
  };
  const refused = { code: 'confirmation_invalid' };

  test('a token works once, for the same arguments in any order', async () => {
    const { tokenFor, repeat } = open();
    const token = await tokenFor(args);
    await repeat({ confirmation_token: token, stores: ['aurora'], delivery_id: 'dlv_1' });
    await assert.rejects(repeat({ ...args, confirmation_token: token }), refused);
  });

  test('a token of other arguments or of another tool is refused, and is used up', async () => {
    const { tokenFor, repeat } = open();
    const token = await tokenFor(args);
    await assert.rejects(repeat({ ...args, stores: [], confirmation_token: token }), refused);
    await assert.rejects(repeat({ ...args, confirmation_token: token }), refused);
    const other = await tokenFor(args);
    await assert.rejects(repeat({ ...args, confirmation_token: other }, 'create_payout'), refused);
  });

  test('a token ends after ten minutes; an invented one never works', async () => {
    const { clock, tokenFor, repeat } = open();
    const token = await tokenFor(args);
    clock.now = 600_000;
    await assert.rejects(repeat({ ...args, confirmation_token: token }), refused);
    await assert.rejects(repeat({ ...args, confirmation_token: 'confirm_0' }), refused);
  });

  test('tokens that are never used do not pile up', async () => {
    const { tokenFor, repeat } = open();
    const first = await tokenFor(args);
    for (let i = 0; i < 100; i++) await tokenFor({ i });
    await assert.rejects(repeat({ ...args, confirmation_token: first }), refused);
  });

  test('a client with elicitation is asked, and a token does not help', async () => {
    const confirm = createConfirmations();
    const declined = async () => 'declined' as const;
    const accepted = async () => 'accepted' as const;
    await confirm('delete_label', { id: 1 }, 'Deletes it.', accepted);
    await assert.rejects(
      confirm('delete_label', { id: 1, confirmation_token: 'confirm_1' }, 'Deletes it.', declined),
      { code: 'confirmation_declined' },
    );
  });
});
