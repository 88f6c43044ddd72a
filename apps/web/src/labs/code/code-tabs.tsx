'use client';
import type { LabCode } from '@verbslab/labs';
import { useId, useState } from 'react';
import { CopyButton } from '../../ui/copy-button';
import { CopyCommand } from '../../ui/copy-command';
import { TabList } from '../../ui/tab-list';
import { Source } from '../../parts/text/source';

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
    <section aria-label="The lab as a program" data-code>
      <p className="mb-3 max-w-[72ch] text-ink-2">
        One process, with all ends of its connections. Run it in Verbs Lab’s folder, or save the files and
        change them.
      </p>
      <TabList id={id} label="Files" titles={tabs.map(({ title }) => title)} at={at} onChange={setAt} />
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}tab${at}`} className="mt-3">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          {/* A tab of its own each, so that “Copied” is about the file that was copied. */}
          <CopyButton key={at} source={() => shown.file.text} text={`Copy ${shown.file.name}`} />
          <div className="min-w-64 flex-1">
            <CopyCommand key={at} command={shown.command} />
          </div>
        </div>
        <Source name={shown.file.name} text={shown.file.text} language={shown.language} />
      </div>
    </section>
  );
}
