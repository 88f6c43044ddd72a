/** A receive queue that the QPs of several clients share. */
import { expect, it } from 'vitest';
import { stagesOf } from '../../src/model/picture/stages-of';
import { stateAt } from '../../src/model/picture/state-at';
import { ALL, sampleFile } from './recordings';

const stateOf = (recording: (typeof ALL)[number][1]) => stateAt(recording, stagesOf(recording), 0);

it('is called by its name, with the number of its QPs, and its client is one of them', () => {
  const [, recording] = ALL.find(([name]) => name === 'run srq')!;
  const { client, server } = stateOf(recording).hosts;
  const { sharedBy } = recording.ends.server.queues.rq!;
  expect(sharedBy).toBeGreaterThan(1);
  expect(server.rings.rq).toMatchObject({ label: 'SRQ', note: `of ${sharedBy} QPs` });
  expect(client.title).toBe(`Client-1, one of ${sharedBy}`);
  expect(server.title).toBe('Server');
});

it('is an RQ where one QP has it', () => {
  const { client, server } = stateOf(sampleFile('send')).hosts;
  expect(server.rings.rq!.label).toBeUndefined();
  expect(client.title).toBe('Client');
});
