import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const lab = findLab('header-explorer');

const own = async (params: Record<string, string>) => {
  const { results, checks } = await finishLab(lab, { params });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  const fields = results.tables['own-fields']!.filter(({ edited }) => edited === 'yes');
  return {
    fields: fields.map(({ field, before, after }) => [field, before, after].join(' ')),
    found: results.tables['own-outcome']!.map((row) => row.found),
  };
};

describe('a packet of one’s own', () => {
  it('may add more than the request asked for', async () => {
    const { fields, found } = await own({ packet: 'fetch-add', edit: 'atomiceth.swapOrAdd=41' });
    expect(fields).toEqual(['atomiceth.swapOrAdd 1 41']);
    expect(found.slice(1)).toEqual(['ATOMIC Acknowledge', '1 B at offset 1024', '0 SUCCESS']);
  });

  it('may be for a QP of no process', async () => {
    const { found } = await own({ packet: 'read', edit: 'bth.destQp=0xfff001', link: 'udp' });
    expect(found[0]).toMatch(/never got it|unknown_qp_pkts/);
    expect(found.slice(1)).toEqual(['none', 'unchanged', 'none']);
  });
});

it('notices a device that answers what it drops', async () => {
  const talkative = tampered(lab, {
    result: (op, result) =>
      op === 'tap.flush' && 'list' in result
        ? {
            ...result,
            list: result.list.flatMap((one) =>
              one.direction === 'sent' && one.opcode === 0x2a
                ? [one, { ...one, direction: 'received' as const, opcode: 0x11, syndrome: 0 }]
                : [one],
            ),
          }
        : result,
  });
  const { checks } = await finishLab(talkative);
  expect(checks.filter(({ ok }) => !ok)).toEqual([
    { id: 'dropped', ok: false, detail: expect.stringContaining('bth.opcode=0x2a') as string },
  ]);
});

it('notices a device that executes what it must drop, and one that answers with the wrong NAK', async () => {
  const blind = tampered(lab, {
    result: (op, result, endpoint) =>
      op === 'counters' && endpoint === 'server' && 'values' in result
        ? {
            ...result,
            values: {
              ...result.values,
              malformed_pkts: 0,
              rcvd_pkts: result.values.rcvd_pkts! + result.values.malformed_pkts!,
            },
          }
        : op === 'tap.flush' && 'list' in result
          ? {
              ...result,
              list: result.list.map((one) => (one.syndrome === 0x62 ? { ...one, syndrome: 0x61 } : one)),
            }
          : result,
  });
  expect(failedChecks(await finishLab(blind)).sort()).toEqual(['dropped', 'refused']);
});
