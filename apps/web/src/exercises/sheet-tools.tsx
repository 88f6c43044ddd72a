import {
  EXERCISES,
  groupsOf,
  readWorksheet,
  worksheetMarkdown,
  type Worksheet,
} from '@verbslab/labs/exercises';
import { errorInfo } from '@verbslab/protocol';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { infoToFailure } from '../connection/failure';
import { Button } from '../ui/button';
import { FileInput } from '../ui/file-taking';
import { saveJson, saveFile } from '../ui/save-file';
import { FailureNote, type Failure } from '../ui/states';
import { seedOf, sheetOf, someSeed, useSheet } from './sheet-store';

/** More than any worksheet takes. */
const MOST_BYTES = 1024 * 1024;

/** The sheet as Markdown, and its answers. */
function markdownOf(sheet: Worksheet, title: string): string {
  const groups = groupsOf(sheet);
  return `${worksheetMarkdown(title, groups, false)}\n---\n\n${worksheetMarkdown(`${title}: answers`, groups, true)}`;
}

/** A new sheet, a saved one, and the sheet as a file or on paper. */
export function SheetTools(props: {
  sheet: Worksheet;
  printSolved: boolean;
  setPrintSolved: (solved: boolean) => void;
}) {
  const { sheet, printSolved, setPrintSolved } = props;
  const put = useSheet((s) => s.put);
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [note, setNote] = useState('');
  const seed = seedOf(sheet);
  const name = seed === null ? 'exercises' : `exercises-${seed}`;
  useEffect(() => {
    const done = () => setPrintSolved(false);
    addEventListener('afterprint', done);
    return () => removeEventListener('afterprint', done);
  }, [setPrintSolved]);

  async function open(file: File) {
    setFailure(null);
    setNote('');
    const refuse = (detail: string) => setFailure(infoToFailure(errorInfo('BAD_WORKSHEET', { detail })));
    if (file.size > MOST_BYTES) return refuse('it is larger than 1 MiB.');
    let text: string;
    try {
      text = await file.text();
    } catch (error) {
      return refuse(`${(error as Error).message}.`);
    }
    const read = readWorksheet(text, EXERCISES);
    if ('why' in read) return refuse(read.why);
    put(read.sheet);
    const { unknown } = read;
    const left =
      unknown.length > 0 ? ` Left out, because this version does not have them: ${unknown.join(', ')}.` : '';
    setNote(`${file.name} is open.${left}`);
  }

  function renew() {
    put(sheetOf(someSeed()));
    setFailure(null);
    setNote('All exercises have new numbers.');
  }

  function print(solved: boolean) {
    // The browser prints what the page shows at this moment.
    flushSync(() => setPrintSolved(solved));
    window.print();
  }

  return (
    <div className="mb-4 print:hidden">
      <div role="group" aria-label="Worksheet" className="flex flex-wrap items-center gap-2">
        <Button onClick={renew}>New numbers for all</Button>
        <Button onClick={() => saveJson(`${name}.json`, sheet)}>Save</Button>
        <Button onClick={() => input.current?.click()}>Open…</Button>
        <Button
          onClick={() =>
            saveFile(
              `${name}.md`,
              'text/markdown',
              markdownOf(sheet, seed === null ? 'RDMA exercises' : `RDMA exercises, sheet ${seed}`),
            )
          }
        >
          Markdown
        </Button>
        <Button onClick={() => print(false)}>Print</Button>
        <Button onClick={() => print(true)} aria-pressed={printSolved}>
          Print with answers
        </Button>
        <span className="num text-13 text-ink-3">{seed === null ? '' : `Sheet ${seed}`}</span>
        <FileInput
          input={input}
          label="A saved worksheet"
          accept=".json,application/json"
          onFile={(f) => void open(f)}
        />
      </div>
      <p role="status" className="mt-2 text-13 text-ink-2 empty:hidden">
        {note}
      </p>
      {failure ? <FailureNote failure={failure} className="mt-3" /> : null}
    </div>
  );
}
