'use client';
import { FORMATS } from '@verbslab/protocol/export-formats';
import { Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { useAgent } from '../connection/store';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { FailureNote } from '../ui/states';
import { runHref } from './figures';
import { cancelImport, forgetImport, importRun, useImport } from './import-store';

/** What the parts of the page need to import a run: the file dialog, and what becomes of a file. */
export function useRunImport() {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const take = useCallback(
    async (file: File, again = false) => {
      const run = await importRun(file, again);
      // Somebody who reads another page by now is left there.
      if (run && location.pathname.startsWith('/runs')) router.push(runHref(run.id));
    },
    [router],
  );
  return useMemo(() => ({ input, take, choose: () => input.current?.click() }), [take]);
}
type RunImport = ReturnType<typeof useRunImport>;

export function ImportButton({ input, take, choose }: RunImport) {
  const busy = useImport((s) => s.file !== null);
  const connected = useAgent((s) => s.status === 'open');
  return (
    <>
      <Button disabled={busy || !connected} onClick={choose}>
        <Upload size={14} aria-hidden />
        Import a run
      </Button>
      <input
        ref={input}
        type="file"
        aria-label="Run bundle"
        accept={FORMATS.bundle.ending}
        className="sr-only"
        tabIndex={-1}
        onChange={(e) => {
          const file = e.target.files?.[0];
          e.target.value = '';
          if (file) void take(file);
        }}
      />
    </>
  );
}

/** Takes files that are dropped anywhere on it. A short cut: the button does the same for the keyboard. */
export function ImportDrop({ take, children }: RunImport & { children: ReactNode }) {
  const [over, setOver] = useState(false);
  const hasFile = (e: DragEvent) => e.dataTransfer.types.includes('Files');
  return (
    <div
      onDragOver={(e) => {
        if (!hasFile(e)) return;
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        if (!hasFile(e)) return;
        e.preventDefault();
        setOver(false);
        const file = e.dataTransfer.files[0];
        if (file) void take(file);
      }}
      className={over ? 'bg-accent-wash outline-2 outline-accent outline-dashed' : undefined}
    >
      {children}
    </div>
  );
}

/** How far the import is, or what came of it. */
export function ImportStatus({ take }: RunImport) {
  const { file, sent, failure, already } = useImport();
  if (file !== null)
    return (
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-13 text-ink-2">
        <span role="status" className="min-w-0 wrap-anywhere">
          {sent < 1 ? `Importing ${file}` : `Checking ${file}`}
        </span>
        <div
          role="progressbar"
          aria-label="Progress of the import"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(sent * 100)}
          className="h-1 w-40 shrink-0 overflow-hidden rounded-full bg-hover sm:w-64"
        >
          <div className="h-full bg-accent" style={{ width: `${sent * 100}%` }} />
        </div>
        <Button onClick={cancelImport}>Cancel</Button>
      </div>
    );
  if (already !== null)
    return (
      <div
        role="alert"
        className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-l-2 border-line-strong px-4 py-3"
      >
        <span className="min-w-0">This run is already here, as run {already.run.number}.</span>
        <span className="flex flex-wrap gap-2">
          <PageLink href={runHref(already.run.id)} className={buttonStyle({ kind: 'primary' })}>
            Open run {already.run.number}
          </PageLink>
          <Button onClick={() => void take(already.file, true)}>Import a second copy</Button>
          <Button kind="quiet" onClick={forgetImport}>
            Close
          </Button>
        </span>
      </div>
    );
  return failure ? (
    <FailureNote
      failure={failure}
      className="mt-4"
      action={
        <Button kind="quiet" onClick={forgetImport}>
          Close
        </Button>
      }
    />
  ) : null;
}
