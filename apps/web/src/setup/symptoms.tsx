'use client';
import type { Symptom } from '@verbslab/protocol';
import { useId, useState } from 'react';
import { Words } from '../ui/words';

const plain = (text: string): string => text.toLowerCase().replace(/[\s:]+/g, ' ');

/** What programs print when the setup is at fault, with cause and cure. */
export function Symptoms({ all }: { all: readonly Symptom[] }) {
  const id = useId();
  const [asked, setAsked] = useState('');
  const wanted = plain(asked).trim();
  const shown = all.filter(
    (one) =>
      plain(Object.values(one).join(' ')).includes(wanted) ||
      (wanted !== '' && wanted.includes(plain(one.text))),
  );
  return (
    <section aria-labelledby={`${id}-title`} className="border-t py-4">
      <h2 id={`${id}-title`} className="text-16 font-semibold">
        When a program fails
      </h2>
      <label htmlFor={id} className="mt-2 block font-medium">
        What did it print?
      </label>
      <input
        id={id}
        type="search"
        value={asked}
        autoComplete="off"
        spellCheck={false}
        onChange={(e) => setAsked(e.target.value)}
        className="num mt-1 block h-9 w-full max-w-[44rem] rounded-[4px] border border-line-strong bg-panel px-2.5 text-14 pointer-coarse:min-h-11"
      />
      <p role="status" className="mt-1 text-13 text-ink-3">
        {shown.length} of {all.length} known messages
      </p>
      <ul className="mt-1 max-w-[60rem]">
        {shown.map(({ text, from, meaning, cure }) => (
          <li key={text} className="border-t">
            <details>
              <summary className="min-h-8 py-1.5 text-13 pointer-coarse:min-h-11">
                <code className="num break-words">{text}</code> <span className="text-ink-3">{from}</span>
              </summary>
              <div className="pb-3 pl-4 text-13">
                <p>
                  <Words>{meaning}</Words>
                </p>
                <p className="mt-1">
                  <Words>{cure}</Words>
                </p>
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
