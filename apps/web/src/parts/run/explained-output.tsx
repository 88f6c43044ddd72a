import { printedGbps } from '@verbslab/labs/explain';
import { isFinal, programGbps, programSpan, type RunRecord } from '@verbslab/protocol';
import { sig3 } from '../../format/number';
import { Gloss } from '../../ui/gloss';
import type { OutputPiece } from '../../model/explained-output';

/** Output of a program, with the meaning of its lines below them. */
export function ExplainedText({ pieces }: { pieces: readonly OutputPiece[] }) {
  return (
    <div className="min-w-0 flex-1">
      {pieces.map(({ text, meaning }, index) => (
        <div key={index} data-explained={meaning === null ? undefined : ''}>
          <pre
            className="num min-h-5 text-12 leading-5 break-words whitespace-pre-wrap"
            data-shows={text.trim() === '' ? undefined : 'output'}
          >
            {text}
          </pre>
          {meaning === null ? null : (
            <p className="mb-1.5 ml-3 max-w-[88ch] border-l-2 border-line-strong pl-2 text-12 text-ink-2">
              {meaning.text === '' ? null : (
                <span data-words>
                  <Gloss>{meaning.text}</Gloss>{' '}
                </span>
              )}
              {meaning.figures === undefined ? null : (
                <span className="num" data-shows="output-figures">
                  {meaning.figures}
                </span>
              )}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

/** Rate that a program printed, beside the rate in the run's records. Empty if one of them is missing. */
export function AgainstRecords({ record, outputs }: { record: RunRecord; outputs: readonly string[] }) {
  const work = record.result?.program?.work;
  const recorded = programGbps(work);
  const printed = outputs.map(printedGbps).findLast((gbps) => gbps !== null) ?? null;
  if (!isFinal(record.state) || !work || recorded === null || printed === null) return null;
  return (
    <p className="mt-2 border-t pt-1 pl-2 text-12 text-ink-2" data-shows="output-records">
      The program’s average is {sig3(printed)} Gb/s. This run’s records say {sig3(recorded)} Gb/s,{' '}
      {programSpan(work)}.
    </p>
  );
}
