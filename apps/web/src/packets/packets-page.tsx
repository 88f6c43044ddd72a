'use client';
import { FolderOpen } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { runHref } from '../addresses';
import { usePageHandle } from '../actions/page-store';
import { lazyPart } from '../connection/lazy-part';
import { count } from '../format/number';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { FileInput, useFileDrop } from '../ui/file-taking';
import { PageLink } from '../ui/page-link';
import { FailureNote } from '../ui/states';
import { Term } from '../ui/term';
import { openFile, openRun, readAgain, useOpened, type Opened } from './opened';
import { PacketLink } from './packet-link';
import { ReadingBar } from './reading-bar';
import { RocePorts } from './roce-ports';
import { useListed } from '../parts/packets/use-listed';
import { useCaptureView, ViewSwitch } from './view-switch';

const Diagnosis = lazyPart(async () => (await import('./diagnosis')).Diagnosis);
const CaptureFacts = lazyPart(async () => (await import('./capture-facts')).CaptureFacts);
const OpenedTimeline = lazyPart(async () => (await import('./opened-timeline')).OpenedTimeline);
const PacketBrowser = lazyPart(async () => (await import('../parts/packets/packet-browser')).PacketBrowser);

/** Page of a capture: a file of the user or the capture of a run, decoded in the page itself. */
export function PacketsPage() {
  const router = useRouter();
  const query = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const { opened, reading, failure } = useOpened();

  const { view, setView } = useCaptureView();
  const run = query.get('run');
  useEffect(() => {
    if (run) void openRun(run);
  }, [run]);
  const open = useCallback(
    async (file: File) => {
      if (await openFile(file)) router.replace(view === 'timeline' ? '/packets?view=timeline' : '/packets');
    },
    [router, view],
  );

  const select = useCallback(
    (i: number | null) => {
      const next = new URLSearchParams(location.search);
      if (i === null) next.delete('packet');
      else next.set('packet', String(i + 1));
      router.replace(`/packets?${next}`, { scroll: false });
    },
    [router],
  );
  const { selected, only, unfiltered, filtering, handle, arrivals } = useListed(
    opened?.rows ?? null,
    true,
    select,
  );
  const page = useMemo(() => ({ 'open-file': () => input.current?.click(), ...handle }), [handle]);
  usePageHandle(page);

  const { over, handlers } = useFileDrop((file) => void open(file));

  return (
    <div
      {...handlers}
      className={
        opened
          ? 'flex h-[calc(100dvh-6rem)] min-h-[32rem] flex-col max-sm:h-[calc(100dvh-9.5rem)] max-sm:min-h-[52rem]'
          : undefined
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className={cn('min-w-0 font-semibold wrap-anywhere', opened ? 'text-20' : 'text-28')}>
          {opened?.run ? (
            <PageLink href={runHref(opened.run)} className="text-accent hover:underline">
              {opened.name}
            </PageLink>
          ) : (
            (opened?.name ?? 'Packets')
          )}
        </h1>
        <Button
          kind={opened ? 'plain' : 'primary'}
          disabled={reading !== null}
          onClick={() => input.current?.click()}
        >
          <FolderOpen size={14} aria-hidden />
          {opened ? 'Open another' : 'Open a capture file'}
        </Button>
        <FileInput
          input={input}
          label="Capture file"
          accept=".pcap,.pcapng,.cap,.gz,application/vnd.tcpdump.pcap"
          onFile={(file) => void open(file)}
        />
      </div>
      {reading ? <ReadingBar reading={reading} /> : null}
      {failure ? (
        <FailureNote
          failure={failure}
          className="mt-4"
          action={
            run ? (
              <PageLink href={runHref(run)} className="text-accent hover:underline">
                Page of the run
              </PageLink>
            ) : null
          }
        />
      ) : null}
      {opened ? (
        <>
          <CaptureFacts opened={opened} selected={selected} onSelect={select} />
          <Cut opened={opened} />
          <RocePorts
            key={opened.ports.join()}
            diagnosis={opened.capture.diagnosis}
            ports={opened.ports}
            onPorts={(ports) => void readAgain(ports)}
          />
          <Diagnosis diagnosis={opened.capture.diagnosis} run={opened.run} low={view === 'timeline'} />
          <div className="mb-2 flex flex-wrap items-center gap-x-4">
            <ViewSwitch view={view} onView={setView} />
            {view === 'list' ? arrivals : null}
          </div>
          <div className="flex min-h-0 flex-1 flex-col rounded-[4px] border bg-panel">
            {view === 'timeline' ? (
              <OpenedTimeline
                opened={opened}
                filtered={filtering.text !== ''}
                selected={selected}
                onSelect={select}
                onList={() => setView('list')}
              />
            ) : (
              <PacketBrowser
                rows={opened.rows}
                {...(only === null ? {} : { only })}
                unfiltered={unfiltered}
                filtering={filtering}
                selected={selected}
                onSelect={select}
              />
            )}
          </div>
        </>
      ) : (
        <div className={over ? 'mt-4 border-y border-accent bg-accent-wash' : 'mt-4 border-y'}>
          <p className="prose py-6 text-ink-2" aria-busy={reading !== null}>
            Open a pcap or pcapng file of up to 1 GiB, or drop one on this page. You see what went wrong in it
            and why, every RoCE packet, its fields, and whether its <Term id="icrc" /> is right. The file
            stays in your browser. The page of a{' '}
            <PageLink href="/runs" className="text-accent underline underline-offset-4">
              run
            </PageLink>{' '}
            leads here too, with what it captured.
          </p>
        </div>
      )}
    </div>
  );
}

/** Message about the damage in a file. */
function Cut({ opened: { capture, rows, run } }: { opened: Opened }) {
  const { error } = capture.head;
  if (!error) return null;
  return (
    <p className="mb-2 text-13 text-error-ink">
      The file is damaged at byte {count(error.offset)}, after packet{' '}
      <PacketLink number={rows.length} run={run} />: {error.message}. The packets before that are shown and
      diagnosed. Copy the file or capture again to see the rest.
    </p>
  );
}
