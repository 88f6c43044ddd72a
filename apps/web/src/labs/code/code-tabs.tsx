'use client';
import type { LabCode } from '@verbslab/labs';
import { useId, useState } from 'react';
import { cn } from '../../ui/cn';
import { CopyButton } from '../../ui/copy-button';
import { CopyCommand } from '../../ui/copy-command';
import { Source } from './source';

/** Where a key moves to among `count` tabs; null for other keys. */
function moved(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}

/** The lab as a program, one tab for each file. */
export function CodeTabs({ code }: { code: readonly LabCode[] }) {
  const id = useId();
  const [at, setAt] = useState(0);
  const tabs = code.flatMap(({ language, files, command }) =>
    files.map((file, i) => ({
      title: i === 0 ? language : file.name,
      language,
      command,
      file,
    })),
  );
  const shown = tabs[at];
  if (!shown) return null;
  return (
    <section aria-labelledby={`${id}title`} data-code>
      <h2 id={`${id}title`} className="text-16 font-semibold">
        The lab as a program
      </h2>
      <p className="mt-1 mb-3 max-w-[72ch] text-ink-2">
        One process, with all ends of its connections. Run it in Verbs Lab’s folder, or save the files and
        change them.
      </p>
      <div role="tablist" aria-label="Files" className="flex flex-wrap border-b">
        {tabs.map(({ title }, i) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}tab${i}`}
            aria-selected={i === at}
            aria-controls={`${id}panel`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => setAt(i)}
            onKeyDown={(e) => {
              const to = moved(e.key, at, tabs.length);
              if (to === null) return;
              e.preventDefault();
              setAt(to);
              document.getElementById(`${id}tab${to}`)?.focus();
            }}
            className={cn(
              '-mb-px h-9 border-b-2 px-3 text-13 pointer-coarse:h-11',
              i === at ? 'border-accent font-medium' : 'border-transparent text-ink-2 hover:text-ink',
            )}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}tab${at}`} className="mt-3">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          {/* A tab of its own each, so that “Copied” is about the file that was copied. */}
          <CopyButton
            key={at}
            source={() => shown.file.text}
            label={`Copy ${shown.file.name}`}
            text="Copy file"
          />
          <div className="min-w-64 flex-1">
            <CopyCommand key={at} command={shown.command} />
          </div>
        </div>
        <Source name={shown.file.name} text={shown.file.text} language={shown.language} />
      </div>
    </section>
  );
}
