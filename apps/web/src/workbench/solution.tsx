'use client';
import { WORKBENCH_FILE, type WorkbenchLanguage } from '@verbslab/protocol';
import { useState } from 'react';
import { useAgent } from '../connection/store';
import { Source } from '../parts/text/source';
import { AskDialog } from '../ui/ask-dialog';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { LANGUAGE_TITLE } from './languages';
import { passedIn } from './progress';
import type { ShownTask } from './shown-task';

/** Solution of the task. Before the reader has passed the task, the page asks for confirmation. */
export function Solution(props: {
  task: ShownTask;
  language: WorkbenchLanguage;
  onUse: (source: string) => void;
}) {
  const { task, language, onUse } = props;
  const passed = useAgent((s) => passedIn(s.progress, task.id).length > 0);
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState<'show' | 'use' | null>(null);
  const text = task.solution[language];
  return (
    <section aria-labelledby="solution" className="mt-8">
      <h2 id="solution" className="mb-2 text-16 font-semibold">
        A solution
      </h2>
      {shown ? (
        <>
          <div className="mb-2 flex flex-wrap gap-2">
            <CopyButton source={() => text} label="Copy the solution" text="Copy" />
            <Button onClick={() => setAsking('use')}>Put it in the editor</Button>
            <Button kind="quiet" onClick={() => setShown(false)}>
              Hide
            </Button>
          </div>
          <Source
            name={`Solution in ${LANGUAGE_TITLE[language]}`}
            text={text}
            language={LANGUAGE_TITLE[language]}
          />
        </>
      ) : (
        <Button onClick={() => (passed ? setShown(true) : setAsking('show'))}>Show a solution</Button>
      )}
      <AskDialog
        open={asking === 'show'}
        title="Show a solution?"
        keep="Keep trying"
        go="Show it"
        onKeep={() => setAsking(null)}
        onGo={() => {
          setAsking(null);
          setShown(true);
        }}
      >
        You have not passed this task yet. The hints may be enough.
      </AskDialog>
      <AskDialog
        open={asking === 'use'}
        title="Replace your program?"
        keep="Keep my program"
        go="Replace it"
        danger
        onKeep={() => setAsking(null)}
        onGo={() => {
          setAsking(null);
          onUse(text);
        }}
      >
        The solution takes the place of your {WORKBENCH_FILE[language]} in the editor.
      </AskDialog>
    </section>
  );
}
