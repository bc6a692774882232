import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fleetOf } from './fleet.ts';

describe('the ports of local servers', () => {
  const names = ['TONEARM_PORT', 'TONEARM_PORT_OFFSET'] as const;
  const saved = names.map((name) => [name, process.env[name]] as const);
  const restore = () => {
    for (const [name, value] of saved) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  beforeEach(() => {
    for (const name of names) delete process.env[name];
  });
  afterEach(restore);

  test('TONEARM_PORT_OFFSET moves the port of the api with all others', () => {
    const usual = fleetOf('dev').ports;
    assert.equal(usual.api, 8420);
    process.env['TONEARM_PORT_OFFSET'] = '300';
    const moved = Object.entries(fleetOf('dev').ports);
    assert.deepEqual(Object.fromEntries(moved.map(([name, port]) => [name, port - 300])), usual);
  });

  test('TONEARM_PORT sets the port of the api', () => {
    process.env['TONEARM_PORT'] = '9000';
    process.env['TONEARM_PORT_OFFSET'] = '300';
    assert.equal(fleetOf('dev').ports.api, 9000);
  });
});
