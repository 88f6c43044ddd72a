'use client';
import type { DecodedFile } from '@verbslab/roce';
import { FolderOpen } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useMemo, useRef, useState, type DragEvent } from 'react';
import { usePageHandle } from '../actions/page-store';
import { latePart } from '../connection/late-part';
import { bytes, count, text, time } from '../format/number';
import { Button } from '../ui/button';
import { FailureNote, type Failure } from '../ui/states';
import { Term } from '../ui/term';
import type { PacketRows } from './rows';

const PacketBrowser = latePart(async () => (await import('./packet-browser')).PacketBrowser);

/** Larger files would not fit a page's memory twice over. */
const MAX_FILE = 512 * 2 ** 20;

interface Opened {
  name: string;
  size: number;
  file: DecodedFile;
  rows: PacketRows;
}

/** A capture file, opened and decoded in the page itself: it is sent nowhere. */
export function PacketsPage() {
  const router = useRouter();
  const query = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [over, setOver] = useState(false);

  const open = useCallback(
    async (file: File) => {
      setFailure(null);
      if (file.size > MAX_FILE) {
        setFailure({
          what: `${file.name} is ${text(bytes(file.size))}; a page can take ${text(bytes(MAX_FILE))}.`,
          cure: 'Cut it first, for example with `editcap -c 1000000`, or use `verbslab decode`.',
        });
        return;
      }
      setBusy(file.name);
      try {
        const [{ decodeFile }, { FilePackets }, data] = await Promise.all([
          import('@verbslab/roce'),
          import('./rows'),
          file.arrayBuffer(),
        ]);
        const decoded = decodeFile(new Uint8Array(data));
        if (decoded.packets.length === 0) {
          setFailure({
            what: `${file.name} holds no packets that can be read.`,
            why: decoded.error ? `At byte ${decoded.error.offset}: ${decoded.error.message}` : undefined,
            cure: 'Choose a pcap or pcapng file, as Verbs Lab, tcpdump or Wireshark write them.',
          });
          return;
        }
        setOpened({
          name: file.name,
          size: file.size,
          file: decoded,
          rows: new FilePackets(decoded.packets, decoded.analysis.marks),
        });
        router.replace('/packets');
      } catch (e) {
        setFailure({
          what: `${file.name} could not be read.`,
          why: e instanceof Error ? e.message : String(e),
          cure: 'Check that the file is still there and that you may read it.',
          detail: e instanceof Error ? e.stack : undefined,
        });
      } finally {
        setBusy(null);
      }
    },
    [router],
  );

  const asked = Number(query.get('packet')) - 1;
  const length = opened?.rows.length ?? 0;
  const selected = Number.isInteger(asked) && asked >= 0 && asked < length ? asked : null;
  const select = useCallback(
    (i: number) => router.replace(`/packets?packet=${i + 1}`, { scroll: false }),
    [router],
  );
  const handle = useMemo(
    () => ({
      openFile: () => input.current?.click(),
      ...(length > 0
        ? { move: (by: 1 | -1) => select(Math.min(length - 1, Math.max(0, (selected ?? -1) + by))) }
        : {}),
    }),
    [length, select, selected],
  );
  usePageHandle(handle);

  function drop(e: DragEvent) {
    e.preventDefault();
    setOver(false);
    const file = e.dataTransfer.files[0];
    if (file) void open(file);
  }

  return (
    // Dropping a file is a short cut; the button does the same for the keyboard.

    <div
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={
        opened
          ? 'flex h-[calc(100dvh-6rem)] min-h-[32rem] flex-col max-sm:h-[calc(100dvh-9.5rem)]'
          : undefined
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className={opened ? 'text-20 font-semibold' : 'text-28 font-semibold'}>
          {opened ? opened.name : 'Packets'}
        </h1>
        <Button
          kind={opened ? 'plain' : 'primary'}
          disabled={busy !== null}
          onClick={() => input.current?.click()}
        >
          <FolderOpen size={14} aria-hidden />
          {busy ? `Reading ${busy}…` : opened ? 'Open another' : 'Open a capture file'}
        </Button>
        <input
          ref={input}
          type="file"
          aria-label="Capture file"
          accept=".pcap,.pcapng,.cap,application/vnd.tcpdump.pcap"
          className="sr-only"
          tabIndex={-1}
          onChange={(e) => {
            const file = e.target.files?.[0];
            e.target.value = '';
            if (file) void open(file);
          }}
        />
      </div>
      {failure ? <FailureNote failure={failure} className="mt-4" /> : null}
      {opened ? (
        <>
          <Summary opened={opened} />
          <div className="flex min-h-0 flex-1 flex-col rounded-[4px] border bg-panel">
            <PacketBrowser rows={opened.rows} selected={selected} onSelect={select} />
          </div>
        </>
      ) : (
        <div className={over ? 'mt-4 border-y border-accent bg-accent-wash' : 'mt-4 border-y'}>
          <p className="prose py-6 text-ink-2">
            Open a pcap or pcapng file, or drop one on this page, to see every RoCE packet, its fields, and
            whether its <Term id="icrc" /> is right. The file stays in your browser.
          </p>
        </div>
      )}
    </div>
  );
}

function Summary({ opened }: { opened: Opened }) {
  const s = opened.file.summary;
  const facts: [string, string][] = [
    ['packets', count(s.packets)],
    ...(s.copies > 0 ? ([['seen twice', count(s.copies)]] as [string, string][]) : []),
    ['RoCE', count(s.rocePackets)],
    ['connections', count(s.connections.length)],
    ['payload', text(bytes(s.payloadBytes))],
    ['over', text(time(s.durationNs))],
    ['sent again', count(s.retransmissions)],
    ['NAK', count(Object.values(s.naks).reduce((a, b) => a + b, 0))],
    ['malformed', count(s.malformed)],
    ['ICRC wrong', count(s.icrc.bad)],
    ...(s.icrc.unchecked > 0 ? ([['ICRC not checked', count(s.icrc.unchecked)]] as [string, string][]) : []),
  ];
  return (
    <>
      <dl className="my-2 flex flex-wrap gap-x-5 gap-y-0.5 text-13">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dd className="num order-first">{value}</dd>
            <dt className="text-ink-3">{name}</dt>
          </div>
        ))}
      </dl>
      {opened.file.capture.omitted > 0 ? (
        <p className="mb-2 text-13 text-ink-2">
          The first {count(s.packets)} packets are shown; the file holds {count(opened.file.capture.omitted)}{' '}
          more. Cut it with <code>editcap -r</code> to see others, or use <code>verbslab decode</code>.
        </p>
      ) : null}
      {opened.file.error ? (
        <p className="mb-2 text-13 text-error-ink">
          The file is damaged at byte {opened.file.error.offset}: {opened.file.error.message} What stands
          before is shown.
        </p>
      ) : null}
    </>
  );
}
