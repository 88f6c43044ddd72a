/** The report among the formats that a run can be exported in. */
import type { RunEvent } from '@verbslab/protocol';
import { FORMATS } from '@verbslab/protocol/export-formats';
import type { ExportFormat, ExportSource } from '@verbslab/protocol/exports';
import { Measurements } from './charts/index.js';
import { reportHtml } from './html/report.js';
import { reportMarkdown } from './markdown/report.js';
import type { ReportSource } from './source.js';

/** Events that charts need: the others are not even parsed. */
const WANTED = /"kind":"(?:source|endpoint)"/;

/** Reads the stream once, and keeps of it what charts are drawn from. */
async function sourceOf({ run, lab, items, notebook, host, version }: ExportSource): Promise<ReportSource> {
  const measured = new Measurements();
  for await (const { seq, json, frame } of items()) {
    // Items without a number were shown live, and are not part of the record.
    if (seq === 0) continue;
    if (json === null) measured.frame(frame!);
    else if (WANTED.test(json)) measured.event(JSON.parse(json) as RunEvent);
  }
  const { tags, notes } = notebook();
  return { run: { ...run, tags }, lab: lab(), notes, measured, host, version, at: Date.now() };
}

export const REPORT_FORMATS: readonly ExportFormat[] = [
  {
    ...FORMATS.html,
    write: async function* (source) {
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
