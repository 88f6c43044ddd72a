import { describe, expect, it } from 'vitest';
import { drawOrder } from '../src/clinic/choose.js';
import { CASES } from '../src/failures/cases/index.js';
import { countersText } from '../src/failures/diagnostic-counters.js';
import {
  differences,
  evidenceText,
  eventText,
  growth,
  nakText,
  statusText,
  type Evidence,
} from '../src/failures/evidence.js';

const found = (over: Partial<Evidence> = {}): Evidence => ({
  attempt: { status: 10, errno: null, elapsedNs: 1, worked: false, seen: '' },
  clientEvents: [],
  serverEvents: ['QP_ACCESS_ERR'],
  naks: [0x62],
  sent: 1,
  clientCounters: {},
  serverCounters: { naks_sent: 1 },
  ...over,
});

const expected = {
  status: 10,
  nak: 0x62,
  serverEvent: 'QP_ACCESS_ERR',
  counters: [{ side: 'server' as const, name: 'naks_sent', atLeast: 1 }],
};

describe('the evidence of a failure', () => {
  it('names what tells it from others', () => {
    const seen = 'The client’s QP is in ERR.';
    const attempt = { status: 10, errno: null, elapsedNs: 8_720_000, worked: false, seen };
    expect(evidenceText(found({ attempt }))).toBe(
      `status 10 REM_ACCESS_ERR, NAK 0x62, QP_ACCESS_ERR at the server, after 8.72 ms. ${seen}`,
    );
    const well = { ...attempt, status: 0, elapsedNs: 320_000 };
    expect(evidenceText(found({ attempt: well, naks: [], serverEvents: [] }))).toBe(
      `status 0 SUCCESS, after 320 µs. ${seen}`,
    );
    const refused = { ...attempt, status: null, errno: 'ENOMEM', elapsedNs: null };
    expect(evidenceText(found({ attempt: refused, naks: null, serverEvents: [] }))).toBe(`ENOMEM. ${seen}`);
    const lost = found({
      attempt: { ...refused, errno: null },
      naks: [],
      clientEvents: ['CQ_ERR', 'CQ_ERR'],
    });
    expect(evidenceText({ ...lost, serverEvents: [] })).toBe(
      `no completion was polled, CQ_ERR at the client. ${seen}`,
    );
  });

  it('has no difference where all is as expected', () => {
    expect(differences(expected, found())).toEqual([]);
  });

  it('says each thing that is not', () => {
    const attempt = { status: null, errno: 'EINVAL', elapsedNs: null, worked: true, seen: '' };
    const wrong = found({ attempt, serverEvents: [], naks: [0x61, 0x25], serverCounters: { naks_sent: 0 } });
    expect(differences(expected, wrong)).toEqual([
      'The status is none, not 10 REM_ACCESS_ERR.',
      'The errno is EINVAL, not none.',
      'The broken version worked.',
      'The event at the server is none, not QP_ACCESS_ERR.',
      'The NAK is 0x61, 1 × RNR, not 0x62.',
      'The growth of naks_sent at the server is 0, not 1 or more.',
    ]);
    expect(differences({ status: 10, noPackets: true, clientEvent: 'CQ_ERR' }, found({ sent: 2 }))).toEqual([
      'The client sent 2 packets.',
      'The event at the client is none, not CQ_ERR.',
      'The NAK is 0x62, not none.',
    ]);
    expect(differences({ ...expected, atLeastNs: 2e6 }, found())).toEqual([
      'The time is 1 ns, not 2 ms or more.',
    ]);
    expect(differences({ status: 10, worked: true }, found({ naks: [] }))).toEqual([
      'The broken version did not get there.',
    ]);
  });

  it('does not blame a device for what it cannot show', () => {
    const blind = found({ naks: null, sent: null, clientCounters: null, serverCounters: null });
    expect(differences({ ...expected, noPackets: true }, blind)).toEqual([]);
    expect(differences(expected, found({ serverCounters: { other: 0 } }))).toEqual([]);
    const refused = { status: null, errno: 'EINVAL', elapsedNs: null, worked: false, seen: '' };
    expect(differences({ ...expected, devicesDiffer: true }, found({ attempt: refused }))).toEqual([]);
  });

  it('is told in the words of the verbs', () => {
    expect(statusText(13)).toBe('13 RNR_RETRY_EXC_ERR');
    expect(statusText(null)).toBe('none');
    expect([nakText(null), nakText([]), nakText([0x62, 0x62, 0x2c])]).toEqual([
      null,
      'none',
      '0x62, 1 × RNR',
    ]);
    expect(eventText(['QP_FATAL', 'QP_FATAL', 'CQ_ERR'])).toBe('QP_FATAL, CQ_ERR');
    expect(growth({ a: 1 }, { a: 3, b: 2 })).toEqual({ a: 2, b: 2 });
    expect(growth(null, { a: 3 })).toBeNull();
    expect(countersText({ naks_sent: 0 }, { naks_sent: 2, sent_pkts: 9 })).toBe('server naks_sent +2');
    expect([countersText({}, null), countersText(null, null)]).toEqual(['none', null]);
  });
});

describe('the cases', () => {
  it('have names of their own and say everything', () => {
    for (const key of ['id', 'name'] as const)
      expect(new Set(CASES.map((one) => one[key])).size).toBe(CASES.length);
    for (const { symptom, cause, explanation, fix } of CASES)
      for (const text of [symptom, cause, explanation, fix]) expect(text).toMatch(/^[A-Z\w].*\.$/);
  });

  it('come in the same order for the same seed, and in others for others', () => {
    const ids = (seed: number): string[] => drawOrder(seed).map(({ id }) => id);
    expect(ids(7)).toEqual(ids(7));
    expect([...ids(7)].sort()).toEqual(CASES.map(({ id }) => id).sort());
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => ids(seed)[0])).size).toBeGreaterThan(2);
    // Each can be drawn.
    const first = Array.from({ length: 500 }, (_, seed) => ids(seed + 1)[0]);
    expect([...new Set(first)].sort()).toEqual([...ids(1)].sort());
  });
});
