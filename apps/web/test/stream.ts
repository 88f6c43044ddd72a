import {
  encodeCompletions,
  encodeHistogram,
  encodePackets,
  encodeSeries,
  SERIES_FIELDS,
  type CompletionColumns,
  type EmittedEvent,
  type PacketRecord,
  type RunEvent,
  type RunRecord,
  type SeriesRecord,
} from '@verbslab/protocol';
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { inflateSync } from 'node:zlib';

/** Stream of an agent, made by hand with the same encoders and numbering. */
export class Stream {
  #seq = 0;

  event(body: EmittedEvent): RunEvent {
    return { seq: ++this.#seq, t: 0, ...body };
  }

  series(source: number, records: SeriesRecord[], flags = 0): Uint8Array {
    return encodeSeries({ source, t: 0, flags, seq: ++this.#seq, run: 1 }, records);
  }

  histogram(source: number, values: number[], flags = 0): Uint8Array {
    const h = build({ bitBucketSize: 64, useWebAssembly: false });
    for (const v of values) h.recordValue(v);
    // The package only writes the compressed form. The plain one is inside it, after cookie and length.
    const compressed = Buffer.from(encodeIntoCompressedBase64(h), 'base64');
    return encodeHistogram(
      { source, t: 0, flags, seq: ++this.#seq, run: 1 },
      inflateSync(compressed.subarray(8)),
    );
  }

  completions(
    source: number,
    count: number,
    options: { t?: number; status?: number; dropped?: number; from?: number } = {},
  ): Uint8Array {
    const { t = 0, status = 0, dropped = 0, from = 0 } = options;
    const column = (f: (i: number) => number) => Uint32Array.from({ length: count }, (_, i) => f(i));
    const columns: CompletionColumns = {
      dt: column((i) => i * 10),
      latency: column((i) => 1000 + i),
      wrId: column((i) => from + i),
      qpn: column(() => 17),
      meta: column(() => 1 | (status << 8)),
      byteLen: column(() => 4096),
      imm: column(() => 0),
      batch: column(() => 1),
    };
    return encodeCompletions({ source, t, dropped, seq: ++this.#seq, run: 1 }, columns);
  }

  packets(source: number, packets: PacketRecord[], dropped = 0): Uint8Array {
    return encodePackets({ source, t: 0, dropped, seq: ++this.#seq, run: 1 }, packets);
  }
}

/** An interval; missing values are zero, missing latencies NaN. */
export function interval(values: Partial<SeriesRecord>): SeriesRecord {
  const zero = Object.fromEntries(
    SERIES_FIELDS.map((f) => [f, f.startsWith('latency') ? NaN : 0]),
  ) as SeriesRecord;
  return { ...zero, intervalNs: 100e6, ...values };
}

export function record(values: Partial<RunRecord> = {}): RunRecord {
  return {
    id: 'abcdefghij',
    number: 1,
    lab: 'bulk',
    title: 'Bulk transfer',
    mode: 'all',
    state: 'running',
    parameters: {},
    createdAt: 0,
    startedAt: 0,
    endedAt: null,
    waitingFor: null,
    progress: null,
    lastSeq: 0,
    recordedBytes: 0,
    droppedRecords: 0,
    capture: null,
    result: null,
    error: null,
    ...values,
  };
}
