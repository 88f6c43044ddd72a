'use client';
import { useEffect, useState } from 'react';
import { Gloss } from '../ui/gloss';
import { SearchField } from '../ui/search-field';
import { FailureNote, Skeleton } from '../ui/states';
import type { ApiEntry, ApiMember } from './language/messages';
import { useLanguage } from './language/use-language';

/** All that a program in TypeScript may import, from the types and docs that the editor has. Loaded when it is opened. */
export function Api() {
  const [open, setOpen] = useState(false);
  return (
    <details data-api onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="min-h-8 py-1 text-16 font-semibold pointer-coarse:min-h-11">
        The API: @verbslab/verbs
      </summary>
      {open ? <Entries /> : null}
    </details>
  );
}

function Entries() {
  const [all, setAll] = useState<readonly ApiEntry[] | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [asked, setAsked] = useState('');
  const language = useLanguage();
  useEffect(() => {
    let gone = false;
    language.ask('api', '').then(
      (entries) => gone || setAll(entries),
      (error: Error) => gone || setFailed(error.message),
    );
    return () => {
      gone = true;
    };
  }, [language]);
  if (failed !== null && !all)
    return (
      <FailureNote
        failure={{ what: 'The API cannot be shown.', why: failed, cure: 'Close it and open it again.' }}
      />
    );
  if (!all) return <Skeleton className="mt-1 h-40" />;
  const wanted = asked.trim().toLowerCase();
  const shown = wanted === '' ? all : all.filter((one) => holds(one, wanted));
  return (
    <>
      <SearchField
        label="Search names and docs"
        value={asked}
        onChange={setAsked}
        shown={shown.length}
        all={all.length}
        things="exports"
      />
      <ul className="thin-scroll mt-1 max-h-[32rem] overflow-y-auto" tabIndex={0} aria-label="Exports">
        {shown.map((one) => (
          <li key={`${one.kind} ${one.name}`} data-export={one.name} className="border-t">
            <details>
              <summary className="min-h-8 py-1 text-13 pointer-coarse:min-h-11">
                <span className="num font-medium">{one.name}</span>{' '}
                <span className="text-12 text-ink-3">{one.kind}</span>
              </summary>
              <div className="pb-2 pl-3">
                <Declared one={one} />
                {one.members.map((member, i) => (
                  <div key={i} className="mt-2">
                    <Declared one={member} />
                  </div>
                ))}
              </div>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

function Declared({ one: { signature, docs, tags } }: { one: ApiMember }) {
  return (
    <>
      {signature === '' ? null : (
        <pre className="num text-12 break-words whitespace-pre-wrap">{signature}</pre>
      )}
      {docs === '' ? null : (
        <p className="text-13 break-words text-ink-2">
          <Gloss>{docs}</Gloss>
        </p>
      )}
      {tags.map((tag) => (
        <p key={tag} className="text-12 break-words text-ink-3">
          {tag}
        </p>
      ))}
    </>
  );
}

const holds = ({ name, members, signature, docs }: ApiEntry, wanted: string): boolean =>
  [name, signature, docs, ...members.flatMap((one) => [one.signature, one.docs])].some((text) =>
    text.toLowerCase().includes(wanted),
  );
