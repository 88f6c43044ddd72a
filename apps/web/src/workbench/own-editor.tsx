import type { WorkbenchLanguage } from '@verbslab/protocol';
import { CopyCommand } from '../ui/copy-command';

/** Instructions to write the program of a task in another editor. */
export function OwnEditor({ task, language }: { task: string; language: WorkbenchLanguage }) {
  return (
    <>
      <p className="prose mb-1 text-13 text-ink-2">
        To use an editor of your own, create a folder with the starter and what it needs to build:
      </p>
      <div className="max-w-[40rem]">
        <CopyCommand
          command={`npx verbslab workbench new ${task} --language ${language} ${task}-${language}`}
        />
        <p className="mb-1 text-13 text-ink-2">Run and check it there:</p>
        <CopyCommand command={`npx verbslab workbench check ${task} ${task}-${language}`} />
      </div>
    </>
  );
}
