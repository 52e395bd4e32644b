import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../conformance/run.mjs';
import * as kit from '../src/index.js';

test('the kit passes the conformance file', () => {
  const answers = [...run(kit)];
  assert.ok(answers.length > 150);
  assert.deepEqual(answers.filter(([, wrong]) => wrong), []);
});
