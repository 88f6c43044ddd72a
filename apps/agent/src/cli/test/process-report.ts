// Misuse reports of the processes of a command, as the device writes them (docs/report.md).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zCount, type CallPlace } from '@verbslab/protocol';
import { z } from 'zod';
import { zRawFinding } from '../../program/messages.js';
import { locate } from '../../program/source-lines.js';

const zReport = z.object({
  program: z.string(),
  pid: z.int(),
  durationMs: zCount,
  dropped: zCount,
  completions: z.object({ successful: zCount, failed: zCount, flushed: zCount }),
  /** Calls that a rule has failed. */
  injected: z.array(z.object({ call: z.string(), error: z.string(), count: zCount })).default([]),
  /** Null: a draft, of a process that was killed or still runs. */
  endedBy: z.string().nullable().optional(),
  findings: z.array(zRawFinding.omit({ counter: true, request: true })),
});
type RawReport = z.infer<typeof zReport>;

/** A finding with its place in the sources, as far as debug information tells. */
export type PlacedFinding = Omit<RawReport['findings'][number], 'where' | 'object'> & {
  /** Name of the object. */
  object: string;
  place: CallPlace | null;
};

/** What one process did on the device. */
export type ProcessReport = Omit<RawReport, 'findings'> & { findings: PlacedFinding[] };

const DRAFT = /^\d+$/;

function rawReports(folder: string): RawReport[] {
  const names = readdirSync(folder).filter((name) => DRAFT.test(name) || name.endsWith('.json'));
  const reports = names.flatMap((name) => {
    // A process that was killed while it wrote leaves a part.
    const text = readFileSync(join(folder, name), 'utf8');
    return text.endsWith('\n') ? [zReport.parse(JSON.parse(text))] : [];
  });
  return reports.toSorted((a, b) => a.pid - b.pid);
}

/** Reads the reports of a folder and looks up the source lines of their findings. */
export async function processReports(folder: string): Promise<ProcessReport[]> {
  const reports = rawReports(folder);
  const places = reports.flatMap(({ findings }) => findings.flatMap(({ where }) => where ?? []));
  const located = await locate(places);
  return reports.map((report) => ({
    ...report,
    findings: report.findings.map(({ where, object, ...finding }) => ({
      ...finding,
      object: object.name,
      place: where === null ? null : located.shift()!,
    })),
  }));
}
