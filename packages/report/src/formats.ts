/** The report as an export format of a run. */
import {
  decodeCompletions,
  decodeHeader,
  FrameError,
  isProgram,
  takeSimulation,
  type RunEvent,
  type Simulation,
} from '@verbslab/protocol';
import { FORMATS } from '@verbslab/protocol/export-formats';
import type { ExportFormat, ExportSource } from '@verbslab/protocol/exports';
import { Measurements, RequestLatencies } from '@verbslab/charts/data';
import { EVIDENCE_KINDS, Evidence } from './failure/evidence.js';
import { reportMarkdown } from './markdown/report.js';
import type { ReportSource } from './content/source.js';

/** Events needed for charts, simulations and problems. Others are not even parsed. */
const WANTED = new RegExp(
  `"kind":"(?:${['source', 'endpoint', 'simulation', ...EVIDENCE_KINDS].join('|')})"`,
);

/** Reads the stream once and keeps the data of the charts and the problems. */
async function sourceOf({ run, lab, items, notebook, host, version }: ExportSource): Promise<ReportSource> {
  const measured = new Measurements();
  const evidence = new Evidence();
  const simulations: Simulation[] = [];
  const latencies = isProgram(run) ? new RequestLatencies() : null;
  for await (const { seq, json, frame } of items()) {
    // Items without a number were only shown live. They are not part of the record.
    if (seq === 0) continue;
    if (json === null) {
      measured.frame(frame!);
      evidence.frame(frame!);
      if (latencies) takeCompletions(latencies, frame!);
    } else if (WANTED.test(json)) {
      const event = JSON.parse(json) as RunEvent;
      if (event.kind === 'simulation') takeSimulation<Simulation>(simulations, event);
      measured.event(event);
      evidence.event(event);
    }
  }
  const { tags, notes } = notebook();
  return {
    ...{ run: { ...run, tags }, lab: lab(), notes, measured, simulations, evidence },
    ...{ host, version },
    requests: latencies?.snapshot() ?? null,
    at: Date.now(),
  };
}

function takeCompletions(latencies: RequestLatencies, frame: Uint8Array): void {
  try {
    const { kind, t } = decodeHeader(frame);
    if (kind === 'completions') latencies.take(t, decodeCompletions(frame));
  } catch (error) {
    // The measurements count frames that cannot be read.
    if (!(error instanceof FrameError)) throw error;
  }
}

export const REPORT_FORMATS: readonly ExportFormat[] = [
  {
    ...FORMATS.html,
    write: async function* (source) {
      // The charts load recharts and React, which no other command needs.
      const { reportHtml } = await import('./html/report.js');
      yield reportHtml(await sourceOf(source));
    },
  },
  {
    ...FORMATS.md,
    write: async function* (source) {
      yield reportMarkdown(await sourceOf(source));
    },
  },
];
