import type { RunRecord } from '@verbslab/protocol';
import type { DecodedFile } from '@verbslab/roce';
import { create } from 'zustand';
import { bytes, text } from '../format/number';
import type { Failure } from '../ui/states';
import type { PacketRows } from './rows';

/** Larger files would not fit a page's memory twice over. */
const MAX_FILE = 512 * 2 ** 20;

export interface Opened {
  name: string;
  /** The run whose capture it is. */
  run: string | null;
  file: DecodedFile;
  rows: PacketRows;
}

interface OpenedState {
  opened: Opened | null;
  /** Name of what is being read. */
  busy: string | null;
  failure: Failure | null;
}

/** The capture that the Packets page shows. It stays while the reader visits other pages. */
export const useOpened = create<OpenedState>(() => ({ opened: null, busy: null, failure: null }));

const set = useOpened.setState;

/** Grows with each file: what was asked for last is shown, whatever comes first. */
let asked = 0;

/** False where there is nothing to show; the failure then says why. */
async function show(
  name: string,
  run: string | null,
  read: () => Promise<{ data: ArrayBuffer; title: string }>,
): Promise<boolean> {
  const mine = ++asked;
  set({ busy: name, failure: null });
  let next: Partial<OpenedState>;
  try {
    const [{ decodeFile }, { FilePackets }, { data, title }] = await Promise.all([
      import('@verbslab/roce'),
      import('./rows'),
      read(),
    ]);
    const file = decodeFile(new Uint8Array(data));
    next =
      file.packets.length > 0
        ? { opened: { name: title, run, file, rows: new FilePackets(file.packets, file.analysis.marks) } }
        : {
            failure: {
              what: `${name} holds no packets that can be read.`,
              why: file.error ? `At byte ${file.error.offset}: ${file.error.message}` : undefined,
              cure: 'Choose a pcap or pcapng file, such as Verbs Lab, tcpdump and Wireshark write.',
            },
          };
  } catch (e) {
    next = {
      failure: {
        what: run ? 'The capture of this run could not be read.' : `${name} could not be read.`,
        why: e instanceof Error ? e.message : String(e),
        cure: run
          ? 'Check that the run still has its capture, and try again.'
          : 'Check that the file is still there and that you may read it.',
        detail: e instanceof Error ? e.stack : undefined,
      },
    };
  }
  if (mine !== asked) return false;
  set({ busy: null, ...next });
  return next.failure === undefined;
}

/** Opens a file of the user's in the page itself: it is sent nowhere. */
export async function openFile(file: File): Promise<boolean> {
  if (file.size > MAX_FILE) {
    set({
      failure: {
        what: `${file.name} is ${text(bytes(file.size))}; the limit is ${text(bytes(MAX_FILE))}.`,
        cure: 'Cut it first, for example with `editcap -c 1000000`, or use `verbslab decode`.',
      },
    });
    return false;
  }
  return show(file.name, null, async () => ({ data: await file.arrayBuffer(), title: file.name }));
}

async function fetched(address: string): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The agent answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Opens the capture of a run, unless it is open. */
export async function openRun(id: string): Promise<void> {
  if (useOpened.getState().opened?.run === id) return;
  set({ opened: null });
  await show('the capture', id, async () => {
    const address = `/api/runs/${encodeURIComponent(id)}`;
    const [record, capture] = await Promise.all([fetched(address), fetched(`${address}/capture.pcapng`)]);
    const { number, title } = (await record.json()) as RunRecord;
    return { data: await capture.arrayBuffer(), title: `Run ${number}: ${title}` };
  });
}
