// Runs with everything that a record may hold, and the files that they become.
import { buffer } from 'node:stream/consumers';
import {
  COMPLETION_FIELDS,
  encodeCompletions,
  encodeHistogram,
  encodePackets,
  encodeSeries,
  SERIES_FIELDS,
  type CompletionColumns,
  type RunRecord,
  type SeriesRecord,
} from '@verbslab/protocol';
import type { Agent } from '../../src/agent.js';
import { download } from '../../src/client/download.js';
import { openHome } from '../../src/config/home.js';
import { createLogger } from '../../src/base/log.js';
import { capturePath } from '../../src/store/capture-files.js';
import { Recording } from '../../src/runs/recording.js';
import { RunStore, type NewRun } from '../../src/store/store.js';

const PACKET = Uint8Array.from({ length: 61 }, (_, index) => (index === 0 ? 0x45 : index));

const series = (t: number): SeriesRecord => ({
  ...(Object.fromEntries(SERIES_FIELDS.map((field) => [field, NaN])) as SeriesRecord),
  t,
  intervalNs: 1e6,
  bytes: 4096,
  messages: 1,
});

const completions = (): CompletionColumns =>
  Object.fromEntries(
    COMPLETION_FIELDS.map((field, at) => [field, Uint32Array.of(at, at + 1)]),
  ) as CompletionColumns;

function annotate({ notebook }: RunStore, run: RunRecord): void {
  notebook.write(run, {
    noteId: `note${run.id.slice(4)}`,
    version: 0,
    text: 'Why is *this* slow?',
    tags: ['todo'],
    moment: { t: 3e6, selection: { packet: 1 } },
  });
  notebook.tag(run, ['rnr', 'två'], []);
}

/**
 * Writes a run that has ended, with all kinds of frames, a capture, an event of another version, and a place elsewhere.
 */
export function writeRun(
  home: string,
  { notes = 20, annotated = true, ...more }: Partial<NewRun> & { notes?: number; annotated?: boolean } = {},
): RunRecord {
  const folder = openHome(home);
  const store = RunStore.open(folder);
  try {
    const record = store.create({
      lab: 'quick',
      title: 'Two hosts – “à la carte”',
      mode: 'all',
      device: 'uroce0',
      parameters: { count: 3 },
      ...more,
    });
    const recording = new Recording({
      record,
      store,
      captureFile: capturePath(folder, record.id),
      interfaces: ['client', 'server'],
      logger: createLogger('silent'),
      clock: process.hrtime.bigint(),
      onChange: () => undefined,
      onFailure: (error) => {
        throw error;
      },
    });
    recording.created();
    for (const state of ['preparing', 'running'] as const) recording.move(state);
    const loop = { transport: 'rdma', role: 'client', label: 'RDMA' } as const;
    recording.emit({ kind: 'source', source: 1, what: 'loop', ...loop }, 'client');
    recording.emit({ kind: 'from.the.future', colors: ['é', { deep: [1, null] }] } as never);
    for (let note = 0; note < notes; note++) recording.emit({ kind: 'note', text: `note ${note} ✓` });
    recording.frame(encodeSeries({ source: 1, t: 0 }, [series(1e6), series(2e6)]), 'client');
    recording.frame(encodeHistogram({ source: 1, t: 3e6 }, Uint8Array.of(1, 2, 3, 4, 5)), 'client');
    recording.frame(encodeCompletions({ source: 1, t: 3e6 }, completions()), 'client');
    const packet = { t: 3e6, tapSeq: 1, flags: 0, origLen: 61, bytes: PACKET, direction: 'sent' } as const;
    recording.frame(encodePackets({ source: 1, t: 3e6 }, [packet, { ...packet, tapSeq: 2 }]), 'client');
    recording.emit({ kind: 'output', stream: 'stdout', text: 'printed\n', bytes: 8 });
    recording.move('draining');
    recording.finish('done', null, () => ({
      lab: record.lab,
      state: 'done',
      provider: 'user-space',
      device: 'uroce0',
      endpoints: [
        { role: 'client', host: 'local', device: 'uroce0', providerClass: 'user-space' },
        { role: 'server', host: 'vm1', device: 'rxe0', providerClass: 'kernel' },
      ],
      parameters: record.parameters,
      transports: {},
      checks: [{ id: 'counted', ok: true, detail: 'It counted.' }],
      captureFile: recording.captureFile,
    }));
    if (annotated) annotate(store, record);
    return store.get(record.id)!;
  } finally {
    store.close();
  }
}

/** The bundle of a run, as its agent hands it out. */
export async function bundleOf(agent: Agent, id: string): Promise<Buffer> {
  return buffer(await download(agent.address, `/api/runs/${id}/export/bundle`));
}

export async function exported(agent: Agent, id: string, format: string): Promise<Buffer> {
  return buffer(await download(agent.address, `/api/runs/${id}/export/${format}`));
}
