import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePackets, encodeSeries, FRAME_FLAGS } from '../src/index.js';
import { base64, bytesOfBase64 } from '../src/exports/base64.js';
import { event, frame, series, source, write } from './written.js';

describe('base64', () => {
  it('is what Buffer makes of it', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(bytesOfBase64(base64(bytes))).toEqual(bytes);
      }),
    );
  });
});

describe('JSON lines', () => {
  it('has an object for each item of the record, frames decoded, and nothing that was only shown live', async () => {
    const packet = {
      t: 5,
      tapSeq: 1,
      direction: 'sent',
      flags: 0,
      origLen: 3,
      bytes: Uint8Array.of(1, 2, 3),
    } as const;
    const text = await write('jsonl', [
      event({ kind: 'note', text: 'a\nb' }, 0),
      frame(2, encodePackets({ source: 4, t: 5, seq: 2 }, [packet])),
      frame(0, encodePackets({ source: 4, t: 5 }, [packet])),
    ]);
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { seq: 1, t: 0, kind: 'note', text: 'a\nb' },
      { seq: 2, t: 5, kind: 'packets', packets: [{ bytes: 'AQID', direction: 'sent' }] },
    ]);
  });
});

describe('CSV', () => {
  it('has a row for each interval, rates beside what they come from, and empty cells for what is unknown', async () => {
    const items = [
      event(source, 0),
      frame(
        2,
        encodeSeries({ source: 4, t: 0, seq: 2, flags: FRAME_FLAGS.omitted }, [series(1000), series(2000)]),
      ),
    ];
    const [head, first, second, end] = (await write('csv', items)).split('\r\n');
    expect(end).toBe('');
    expect(second).toMatch(/,2000,1000,500,/);
    // Formulas of spreadsheets become text, and quotes are doubled.
    expect(first).toMatch(/^2,4,client,rdma,client,"'=a,""b""",,1,4,0.25,,,1000,1000,500,,250,,/);
    expect(first!.replace(/"(""|[^"])*"/, '').split(',')).toHaveLength(head!.split(',').length);
  });
});
