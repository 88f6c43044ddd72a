import { compileFilter, indexCapture } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chipsOf, numbersFilter } from '../src/packets/chips';
import { WholeFile } from '../src/parts/packets/file-bytes';
import { packetsOf } from './packets-of';

const read = (path: string) => {
  const bytes = new Uint8Array(readFileSync(new URL(path, import.meta.url)));
  const capture = indexCapture(bytes);
  return { capture, rows: packetsOf(new WholeFile(bytes), capture) };
};

describe('the findings of a capture with losses', () => {
  const { capture, rows } = read('../../../testdata/rxe-write-8pc-loss.pcap');
  const chips = chipsOf(capture.diagnosis, capture.columns);
  const passing = (filter: string) => {
    const { matches } = compileFilter(filter);
    return Array.from({ length: rows.length }, (_, i) => i).filter((i) => matches(rows.filtered(i)));
  };

  it('are a chip per kind, with the number and the first packet', () => {
    expect(new Set(chips.map(({ id }) => id)).size).toBe(chips.length);
    const nak = chips.find(({ id }) => id === 'nak-sequence')!;
    expect(nak.words).toBe('NAKs: sequence error');
    expect(passing(nak.filter!)).toHaveLength(nak.count);
    expect(passing(nak.filter!)[0]! + 1).toBe(nak.first);
    const again = chips.find(({ id }) => id === 'sent-again')!;
    expect(passing(again.filter!)).toHaveLength(again.count);
    expect(passing(again.filter!)[0]! + 1).toBe(again.first);
  });

  it('list their packets', () => {
    for (const { id, filter, first } of chips)
      if (filter !== null && first !== null) expect(passing(filter), id).toContain(first - 1);
  });

  it('are no facts that every capture has', () => {
    expect(capture.diagnosis.findings.map(({ id }) => id)).toContain('mtu');
    expect(chips.map(({ id }) => id)).not.toContain('mtu');
    expect(chips.every(({ words }) => !/[a-z]-[a-z]+-/.test(words))).toBe(true);
  });
});

describe('the samples', () => {
  it.each([
    ['write-lost', ['nak-sequence', 'sent-again', 'retransmission-nak']],
    ['rnr-wait', ['rnr', 'sent-again']],
    ['wrong-rkey', ['nak-remote-access']],
    ['rdma-cm', []],
  ])('%s shows what it is for', (name, ids) => {
    const { capture } = read(`../public/samples/${name}.pcapng`);
    expect(chipsOf(capture.diagnosis, capture.columns).map(({ id }) => id)).toEqual(ids);
    expect(capture.head.error).toBeUndefined();
    expect(capture.diagnosis.counts.malformed + capture.diagnosis.counts.icrcBad).toBe(0);
  });
});

describe('a filter of packet numbers', () => {
  it('joins neighbors', () => {
    expect(numbersFilter([5, 1, 6, 7, 9, 9])).toBe('frame.number in {1, 5..7, 9}');
    expect(() => compileFilter(numbersFilter([3]))).not.toThrow();
  });
});
