/** A request completes before its answer arrives, as on a NIC, which acknowledges before a program can answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { start } from './run.js';

const ROUNDS = 1000;
/** Bytes, operation, polling or events, number of CQs, number of queue pairs. */
const EXCHANGES = [
  '64 send poll 1 1',
  '64 send events 1 1',
  '64 send poll 2 1',
  '64 send poll 1 2',
  '64 send events 2 2',
  '1 send poll 1 1',
  '64 write poll 1 1',
  '5000 write events 2 1',
  '200000 send poll 1 1',
];

describe.skipIf(!able).each(['shm', 'udp'])('two processes that answer each other, through %s', (link) => {
  const programs = new Programs();
  let answers = '';
  beforeAll(() => {
    answers = programs.compile('answers');
  });
  afterAll(() => {
    programs.remove();
  });

  it.each(EXCHANGES)('%s', async (exchange) => {
    const args = [...exchange.split(' '), String(ROUNDS)];
    const { code, output } = await start(answers, args, { env: { UROCE_LINK: link } }).finished;
    expect(code, output).toBe(0);
    const late = [...output.matchAll(/^(\d+) of 1000$/gm)].map(([, count]) => Number(count));
    expect(late, output).toHaveLength(2);
    for (const count of late) expect(count).toBeLessThanOrEqual(ROUNDS / 1000);
  });
});
