'use client';
import type { WorkbenchLanguage } from '@verbslab/protocol';
import { useCallback, useState } from 'react';
import { dropProgram, keepProgram, keptProgram } from './kept-programs';

/** The program that is being written, which this browser keeps. */
export function useProgram(task: string, language: WorkbenchLanguage, starter: string) {
  const [source, setSource] = useState(() => keptProgram(task, language) ?? starter);
  const [kept, setKept] = useState(true);
  const write = useCallback(
    (text: string) => {
      setSource(text);
      setKept(keepProgram(task, language, text));
    },
    [task, language],
  );
  const reset = useCallback(() => {
    dropProgram(task, language);
    setSource(starter);
    setKept(true);
  }, [task, language, starter]);
  return { source, kept, write, reset };
}
