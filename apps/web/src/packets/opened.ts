import type { RunRecord } from '@verbslab/protocol';
import type { CaptureStreams, IndexedCapture } from '@verbslab/roce';
import { create } from 'zustand';
import { agentAnswer } from '../connection/agent-answer';
import { AgentError } from '../connection/client';
import { infoToFailure } from '../connection/failure';
import { bytes, text } from '../format/number';
import type { Failure } from '../ui/states';
import type { FilePackets } from '../parts/packets/file-packets';
import { MAX_FILE } from '../parts/packets/file-bytes';
import { SAMPLES } from './samples';
import { unreadable } from './unreadable';

export interface Opened {
  name: string;
  /** Run that the capture is from. */
  run: string | null;
  /** Sample that it is. */
  sample: string | null;
  capture: IndexedCapture;
  streams: CaptureStreams;
  rows: FilePackets;
  /** The chosen or fetched file, to read it again. */
  source: Blob;
  ports: readonly number[];
}

export interface Reading {
  name: string;
  /** Finished part, from 0 to 1; null while unknown. */
  part: number | null;
  cancel: () => void;
}

interface OpenedState {
  opened: Opened | null;
  reading: Reading | null;
  failure: Failure | null;
}

/** The capture on the Packets page. It stays open while the reader visits other pages. */
export const useOpened = create<OpenedState>(() => ({ opened: null, reading: null, failure: null }));

const set = useOpened.setState;

type Origin = Pick<Opened, 'run' | 'sample'>;

const A_FILE: Origin = { run: null, sample: null };

interface Fetched {
  source: Blob;
  title: string;
}

function failureOf(name: string, run: string | null, e: unknown): Failure {
  // The agent's error already says what is wrong and what to do.
  if (e instanceof AgentError) return infoToFailure(e.info);
  return {
    what: run ? 'The capture of this run could not be read.' : `${name} could not be read.`,
    why: e instanceof Error ? e.message : String(e),
    cure: run
      ? 'Check that the run still has its capture, and try again.'
      : 'Check that the file is still there and that you may read it.',
    detail: e instanceof Error ? e.stack : undefined,
  };
}

/**
 * Reads and shows a capture. Only the latest call has an effect, in whatever order they finish. False if there is
 * nothing to show; the failure then says why.
 */
async function show(
  name: string,
  origin: Origin,
  fetchIt: (cancelled: AbortSignal) => Promise<Fetched>,
  ports: readonly number[] = [],
): Promise<boolean> {
  useOpened.getState().reading?.cancel();
  const stop = new AbortController();
  const cancel = () => {
    stop.abort();
    set({ reading: null });
  };
  const reading = { name, part: null, cancel };
  set({ reading, failure: null });
  let next: Partial<OpenedState>;
  try {
    const [{ readCapture }, { FilePackets }, { PartedFile, WholeFile }, { source, title }] =
      await Promise.all([
        import('../parts/packets/read-capture'),
        import('../parts/packets/file-packets'),
        import('../parts/packets/file-bytes'),
        fetchIt(stop.signal),
      ]);
    const progress = (part: number) => set({ reading: { ...reading, part } });
    const read = await readCapture({ file: source, ports }, progress, stop.signal);
    const file = read.bytes ? new WholeFile(read.bytes) : new PartedFile(read.file);
    const rows = new FilePackets(file, read.capture, read.streams);
    const failure = unreadable(name, read.capture);
    next = failure
      ? { failure }
      : {
          opened: {
            name: title,
            ...origin,
            capture: read.capture,
            streams: read.streams,
            rows,
            source,
            ports,
          },
        };
  } catch (e) {
    next = { failure: failureOf(name, origin.run, e) };
  }
  if (stop.signal.aborted) return false;
  set({ reading: null, ...next });
  return next.failure === undefined;
}

/** Opens a file of the user in the page itself: it is not sent anywhere. */
export async function openFile(file: File): Promise<boolean> {
  if (file.size > MAX_FILE) {
    set({
      failure: {
        what: `${file.name} is ${text(bytes(file.size))}; the limit is ${text(bytes(MAX_FILE))}.`,
        cure: 'Cut it first, for example with `editcap -c 1000000`.',
      },
    });
    return false;
  }
  return show(file.name, A_FILE, () => Promise.resolve({ source: file, title: file.name }));
}

/** Reads the open capture again, with RoCE on these UDP ports too. */
export async function readAgain(ports: readonly number[]): Promise<void> {
  const { opened } = useOpened.getState();
  if (!opened) return;
  const { source, name: title, run, sample } = opened;
  await show(title, { run, sample }, () => Promise.resolve({ source, title }), ports);
}

async function fetched(address: string, signal: AbortSignal): Promise<Response> {
  const answer = await fetch(address, { signal });
  if (answer.ok) return answer;
  const said = await answer.text();
  const refusal = agentAnswer(said)?.error;
  throw refusal ? new AgentError(refusal) : new Error(`The agent answered ${answer.status}: ${said}`);
}

/** Opens the capture of a run, unless it is already open. */
export async function openRun(id: string): Promise<void> {
  if (useOpened.getState().opened?.run === id) return;
  set({ opened: null });
  await show('the capture', { run: id, sample: null }, async (signal) => {
    const address = `/api/runs/${encodeURIComponent(id)}`;
    const [record, capture] = await Promise.all([
      fetched(address, signal),
      fetched(`${address}/capture.pcapng`, signal),
    ]);
    const { number, title } = (await record.json()) as RunRecord;
    return { source: await capture.blob(), title: `Run ${number}: ${title}` };
  });
}

/** Opens a capture that comes with the product, unless it is already open. */
export async function openSample(id: string): Promise<void> {
  const sample = SAMPLES.find((one) => one.id === id);
  if (!sample || useOpened.getState().opened?.sample === id) return;
  set({ opened: null });
  await show(sample.title, { run: null, sample: id }, async (signal) => {
    const file = await fetched(`/samples/${id}.pcapng`, signal);
    return { source: await file.blob(), title: sample.title };
  });
}

export const closeCapture = (): void => set({ opened: null, failure: null });
