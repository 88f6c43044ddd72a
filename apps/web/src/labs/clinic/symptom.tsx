'use client';
import type { ClinicCase } from '@verbslab/labs';
import type { Row } from '@verbslab/protocol';
import { text, time } from '../../format/number';
import { cn } from '../../ui/cn';

/** What the program shows at first sight: its status or errno, and a sentence. */
export function Symptom({ row, one }: { row: Row; one: ClinicCase }) {
  const status = String(row.status ?? 'none');
  const errno = String(row.errno ?? 'none');
  const failed = errno !== 'none' || (status !== 'none' && !status.startsWith('0 '));
  const micros = typeof row.time === 'number' ? row.time : null;
  return (
    <section
      aria-labelledby="symptom"
      className={cn('border-l-3 py-0.5 pl-4', failed ? 'border-error' : 'border-retx')}
    >
      <h2 id="symptom" className="text-12 text-ink-3">
        Symptom, as the client sees it
      </h2>
      <p className={cn('num text-16 font-semibold', failed && 'text-error-ink')} data-shows="clinic-symptom">
        {errno === 'none' ? (status === 'none' ? 'no completion' : `status ${status}`) : errno}
      </p>
      <p className="text-ink-2">
        {one.symptom}
        {micros === null ? null : (
          <>
            {' '}
            <span data-shows="clinic-time">From post to completion: {text(time(micros * 1000))}.</span>
          </>
        )}
      </p>
    </section>
  );
}
