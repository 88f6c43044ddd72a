'use client';
import { FolderOpen, X } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { runHref } from '../addresses';
import { usePageHandle } from '../actions/page-store';
import { lazyPart } from '../connection/lazy-part';
import { useListed } from '../parts/packets/use-listed';
import { Button, IconButton } from '../ui/button';
import { FileInput, useFileDrop } from '../ui/file-taking';
import { PageLink } from '../ui/page-link';
import { FailureNote } from '../ui/states';
import { EmptyPackets } from './empty-packets';
import { closeCapture, openFile, openRun, openSample, useOpened } from './opened';
import { ReadingBar } from './reading-bar';
import { useCaptureView } from './view-switch';

const CaptureTool = lazyPart(async () => (await import('./capture-tool')).CaptureTool);

/** Page of a capture: a file of the user, the capture of a run, or a sample, decoded in the page itself. */
export function PacketsPage() {
  const router = useRouter();
  const query = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const { opened, reading, failure } = useOpened();

  const { view } = useCaptureView();
  const [run, sample] = [query.get('run'), query.get('sample')];
  useEffect(() => {
    if (run) void openRun(run);
    else if (sample) void openSample(sample);
  }, [run, sample]);
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
  const listed = useListed(opened?.rows ?? null, true, select);
  const { handle } = listed;
  const page = useMemo(() => ({ 'open-file': () => input.current?.click(), ...handle }), [handle]);
  usePageHandle(page);

  const { over, handlers } = useFileDrop((file) => void open(file));
  const opener = (
    <Button
      kind={opened ? 'plain' : 'primary'}
      size={opened ? 'small' : 'usual'}
      disabled={reading !== null}
      onClick={() => input.current?.click()}
    >
      <FolderOpen size={14} aria-hidden />
      {opened ? 'Open another' : 'Open a capture file'}
    </Button>
  );
  const state = (
    <>
      {reading ? <ReadingBar reading={reading} /> : null}
      {failure ? (
        <FailureNote
          failure={failure}
          className="my-2"
          action={
            run ? (
              <PageLink href={runHref(run)} className="text-accent hover:underline">
                Page of the run
              </PageLink>
            ) : null
          }
        />
      ) : null}
    </>
  );
  const file = (
    <FileInput
      input={input}
      label="Capture file"
      accept=".pcap,.pcapng,.cap,.gz,application/vnd.tcpdump.pcap"
      onFile={(taken) => void open(taken)}
    />
  );
  if (!opened)
    return (
      <div {...handlers} className={over ? 'bg-accent-wash outline-2 outline-accent' : undefined}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-28 font-semibold">Packets</h1>
          {opener}
          {file}
        </div>
        {state}
        <EmptyPackets busy={reading !== null} />
      </div>
    );
  return (
    <div
      {...handlers}
      className="-mx-4 -my-6 flex flex-col sm:h-[calc(100dvh-3rem)] sm:min-h-[30rem] lg:-mx-6"
    >
      {file}
      {reading || failure ? <div className="px-4 lg:px-6">{state}</div> : null}
      <CaptureTool
        opened={opened}
        listed={listed}
        onSelect={select}
        openOther={
          <>
            {opener}
            <IconButton
              label="Close the capture"
              size="small"
              onClick={() => {
                closeCapture();
                router.replace('/packets');
              }}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </>
        }
      />
    </div>
  );
}
