'use client';
import type { Symptom } from '@verbslab/protocol';
import { useId, useState } from 'react';
import { SearchField } from '../ui/search-field';
import { Words } from '../ui/words';

const plain = (text: string): string => text.toLowerCase().replace(/[\s:]+/g, ' ');

/** Messages that programs print if the setup is at fault, with cause and fix. */
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
    <section aria-labelledby={id} className="border-t py-4">
      <h2 id={id} className="text-16 font-semibold">
        When a program fails
      </h2>
      <SearchField
        label="What did it print?"
        value={asked}
        onChange={setAsked}
        shown={shown.length}
        all={all.length}
        things="known messages"
      />
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
