import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileBody } from '../platform/http/validation.ts';
import { eventTypes, pingType } from './event-catalogue.ts';
import { exampleOf } from './example-of.ts';

describe('contract §4: an example of every event', () => {
  for (const { type, data } of [pingType, ...eventTypes]) {
    test(`${type} fits its schema`, () => {
      const value = exampleOf(data);
      assert.deepEqual(compileBody(data)(value), { value });
    });
  }
});
