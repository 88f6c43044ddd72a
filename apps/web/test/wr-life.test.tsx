import type { RunEventOf } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { requestTimes } from '../src/model/request-times';
import { VerbTable } from '../src/run/verb-table';
import { WrLife } from '../src/run/wr-life';

const wr = (over: Partial<RunEventOf<'wr'>> = {}): RunEventOf<'wr'> => ({
  kind: 'wr',
  seq: 1,
  t: 6_100_000,
  qpn: 17,
  wrId: 1,
  opcode: 'RDMA_WRITE',
  byteLen: 10_000,
  status: 0,
  posted: 100_000,
  firstTx: 120_000,
  lastTx: 130_000,
  acked: 180_000,
  cqe: 180_000,
  polled: 6_100_000,
  ...over,
});

const widths = (html: string): number[] =>
  [...html.matchAll(/width:([\d.]+)%/g)].map(([, width]) => Number(width));

describe('the life of a work request', () => {
  it('is split where the device is done and the program is not', () => {
    expect(requestTimes(wr())).toEqual({ device: 80_000, program: 5_920_000 });
    expect(requestTimes(wr({ polled: null }))).toEqual({ device: 80_000, program: null });
    expect(requestTimes(wr({ cqe: null, polled: null }))).toEqual({ device: null, program: null });
  });

  it('shows the stages of the device on the device’s own scale, and the rest as the program’s', () => {
    const html = renderToStaticMarkup(<WrLife wr={wr()} />);
    const [posted, first, last, acked, cqe, device, program] = widths(html);
    expect([posted, first, last, acked, cqe]).toEqual([0, 25, 37.5, 100, 100]);
    expect(device! + program!).toBeCloseTo(100);
    expect(device).toBeCloseTo(80 / 60);
    expect(html).toMatch(/Device.*80\.0\sµs.*Program.*5\.92\sms/s);
  });

  it('shows what did not happen as such, and no share of it', () => {
    const html = renderToStaticMarkup(<WrLife wr={wr({ acked: null, cqe: null, polled: null })} />);
    expect(html.match(/>none</g)).toHaveLength(3);
    expect(html).not.toContain('Program');
    expect(widths(html)).toEqual([0, 200 / 3, 100].map((width) => expect.closeTo(width) as number));
  });
});

describe('verbs calls', () => {
  const call = (seq: number, durationNs: number): RunEventOf<'verb'> => ({
    kind: 'verb',
    seq,
    t: seq,
    call: 'ibv_post_send',
    args: {},
    durationNs,
  });
  const html = (...verbs: RunEventOf<'verb'>[]): string =>
    renderToStaticMarkup(<VerbTable verbs={verbs} roleTitle={(role) => role} />);

  it('say what their time holds', () => {
    expect(html(call(1, 1_090_000))).toMatch(/1\.09\sms.*Node/s);
  });

  it('have no time where none was measured, as in programs', () => {
    expect(html(call(1, 0))).not.toMatch(/0 ns|Node/);
  });
});
