import { describe, expect, it } from 'vitest';
import { incidentsOf, problemCount, ProblemTally, type IncidentPart } from '../src/index.js';

const finding = (id: string, request: object | undefined, more: object = {}): IncidentPart =>
  ({ kind: 'finding', id, count: 1, request, ...more }) as unknown as IncidentPart;
const refused = finding('request-refused', { qpn: 17, peerQpn: 18, opcode: 'RDMA_WRITE', length: 1 });
const failed = finding('request-failed', {
  qpn: 17,
  peerQpn: 18,
  opcode: 'RDMA_WRITE',
  length: 1,
  wrId: '19',
});
const wc = (qpn: number): IncidentPart =>
  ({ kind: 'completion', wc: { status: 10, qpn } }) as unknown as IncidentPart;
const async_ = (qpn: number): IncidentPart => ({ kind: 'async', event: 'QP_ACCESS_ERR', qpn });

describe('incidents', () => {
  it('groups the items about one request: event, completion, and the findings of both sides', () => {
    const parts = [async_(18), wc(17), refused, failed];
    const { incidents, others } = incidentsOf(parts);
    expect(incidents).toEqual([{ failed, refused, parts }]);
    expect(others).toEqual([]);
    expect(problemCount(parts)).toBe(1);
  });

  it('keeps apart requests of other QPs, and items without a finding', () => {
    const other = finding('request-failed', { qpn: 21, peerQpn: 22, opcode: 'SEND', length: 1 });
    const { incidents, others } = incidentsOf([wc(17), failed, wc(21), other, wc(30), async_(31)]);
    expect(incidents.map(({ parts }) => parts)).toEqual([
      [wc(17), failed],
      [wc(21), other],
    ]);
    expect(others).toEqual([wc(30), async_(31)]);
    expect(incidentsOf([async_(18), wc(17)]).incidents).toEqual([]);
  });

  it('takes a bad SGE and the completion that it caused for one', () => {
    const sge = finding('sge-outside-mr', { qpn: 17, opcode: 'SEND', length: 1, wrId: '3' });
    expect(incidentsOf([sge, wc(17)]).incidents).toEqual([
      { failed: sge, refused: null, parts: [sge, wc(17)] },
    ]);
  });

  it('counts each object that leaked, and each incident once', () => {
    const leaks = [1, 2].map((count) => finding('object-leaked', undefined, { count }));
    const tally = new ProblemTally();
    for (const e of [async_(18), wc(17), refused, failed, ...leaks]) tally.take(e);
    expect(tally.count).toBe(4);
  });
});
