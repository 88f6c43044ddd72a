'use client';
import { FORMATS } from '@verbslab/protocol/export-formats';
import { Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useRef, type ReactNode } from 'react';
import { runHref } from '../addresses';
import { ActionButton } from '../actions/action-button';
import { useAgent } from '../connection/store';
import { Button, buttonStyle } from '../ui/button';
import { FileInput, useFileDrop } from '../ui/file-taking';
import { PageLink } from '../ui/page-link';
import { ProgressBar } from '../ui/progress-bar';
import { FailureNote } from '../ui/states';
import { cancelImport, forgetImport, importRun, useImport } from './import-store';

/** File dialog and import function, shared by the parts of the page. */
export function useRunImport() {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const take = useCallback(
    async (file: File, again = false) => {
      const run = await importRun(file, again);
      // A reader who has moved to another page is not taken away from it.
      if (run && location.pathname.startsWith('/runs')) router.push(runHref(run.id));
    },
    [router],
  );
  return useMemo(() => ({ input, take, choose: () => input.current?.click() }), [take]);
}
type RunImport = ReturnType<typeof useRunImport>;

export function ImportButton({ input, take }: RunImport) {
  const busy = useImport((s) => s.file !== null);
  const connected = useAgent((s) => s.status === 'open');
  return (
    <>
      <ActionButton action="import-run" icon={Upload} disabled={busy || !connected} />
      <FileInput
        input={input}
        label="Run bundle"
        accept={FORMATS.bundle.ending}
        onFile={(file) => void take(file)}
      />
    </>
  );
}

/** Takes files dropped anywhere on it. */
export function ImportDrop({ take, children }: RunImport & { children: ReactNode }) {
  const { over, handlers } = useFileDrop((file) => void take(file));
  return (
    <div
      {...handlers}
      className={over ? 'bg-accent-wash outline-2 outline-accent outline-dashed' : undefined}
    >
      {children}
    </div>
  );
}

/** Progress or outcome of the import. */
export function ImportStatus({ take }: RunImport) {
  const { file, sent, failure, already } = useImport();
  if (file !== null)
    return (
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-13 text-ink-2">
        <span role="status" className="min-w-0 wrap-anywhere">
          {sent < 1 ? `Importing ${file}` : `Checking ${file}`}
        </span>
        <ProgressBar label="Progress of the import" value={Math.round(sent * 100)} part={sent} />
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
