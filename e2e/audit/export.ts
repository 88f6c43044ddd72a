// The raw records of a run as the agent exports them: its record and its stream, as JSON. Types only, no code of the product.
import type { Page } from '@playwright/test';
import type { RunEvent, RunRecord, SeriesRecord } from '@verbslab/protocol';

interface FrameHead {
  seq: number;
  t: number;
  source: number;
  flags: number;
  count: number;
  dropped: number;
}
export interface SeriesFrame extends FrameHead {
  kind: 'series';
  records: SeriesRecord[];
}
export interface HistogramFrame extends FrameHead {
  kind: 'histogram';
  hdrV2: string;
}
export interface CompletionsFrame extends FrameHead {
  kind: 'completions';
  columns: Record<
    'dt' | 'latency' | 'wrId' | 'qpn' | 'meta' | 'byteLen' | 'imm' | 'batch',
    readonly number[]
  >;
}
export interface PacketsFrame extends FrameHead {
  kind: 'packets';
  packets: readonly { t: number; tapSeq: number; direction: 'sent' | 'received'; origLen: number }[];
}

/** An event, or a binary frame in JSON (docs/protocol.md). */
export type Item = RunEvent | SeriesFrame | HistogramFrame | CompletionsFrame | PacketsFrame;
export type ItemOf<K extends Item['kind']> = Extract<Item, { kind: K }>;

export interface RunExport {
  run: RunRecord;
  events: Item[];
}

export async function exportRun(page: Page, id: string): Promise<RunExport> {
  const answer = await page.request.get(`${new URL(page.url()).origin}/api/runs/${id}.json`);
  if (!answer.ok()) throw new Error(`the export of run ${id}: ${answer.status()}`);
  return (await answer.json()) as RunExport;
}

export function itemsOf<K extends Item['kind']>({ events }: RunExport, kind: K): ItemOf<K>[] {
  return events.filter((item): item is ItemOf<K> => item.kind === kind);
}
