'use client';
import { indentWithTab } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import CodeMirror from '@uiw/react-codemirror';
import { WORKBENCH_FILE, type WorkbenchLanguage } from '@verbslab/protocol';
import { useTheme } from 'next-themes';
import { useEffect, useMemo, useRef } from 'react';
import { useLanguage } from '../language/use-language';
import { cExtension } from './c';
import { editorTheme, highlighting } from './theme';
import { goToLine, tell, toldLines, type Told } from './told';
import { typescriptExtension } from './typescript';

export interface ProgramEditorProps {
  language: WorkbenchLanguage;
  source: string;
  onChange: (source: string) => void;
  /** Action of Ctrl Enter. It rarely changes: a change sets the editor up again. */
  onRun: () => void;
  /** Messages of the last run about lines. */
  told: readonly Told[];
  /** A line to go to. A new object with the same line goes there again. */
  goTo: { line: number } | null;
  /** Id of the text that explains how to leave with Tab. */
  describedBy: string;
}

const BASIC = {
  foldGutter: false,
  highlightActiveLine: true,
  highlightSelectionMatches: true,
  // Each language has its own.
  autocompletion: false,
  // `highlighting` has the colors of the page.
  syntaxHighlighting: false,
} as const;

/** Editor for the program of a task. Each language has a separate editor. */
export default function ProgramEditor(props: ProgramEditorProps) {
  const { language, source, onChange, onRun, told, goTo, describedBy } = props;
  const { resolvedTheme } = useTheme();
  const view = useRef<EditorView | null>(null);
  const client = useLanguage();

  // Extensions that stay the same object keep their state, such as underlined types, when others change.
  const own = useMemo(
    () => [language === 'typescript' ? typescriptExtension(client) : cExtension(), toldLines, highlighting],
    [language, client],
  );
  const extensions = useMemo(
    () => [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }])),
      keymap.of([indentWithTab]),
      indentUnit.of('  '),
      // A long line, or a message below it, would end outside the box.
      EditorView.lineWrapping,
      own,
      EditorView.contentAttributes.of({
        'aria-label': `Program ${WORKBENCH_FILE[language]}`,
        'aria-describedby': describedBy,
        // The scroll container needs a tab stop: axe recognizes keyboard access only by that.
        tabindex: '0',
      }),
    ],
    [own, language, describedBy, onRun],
  );
  const theme = useMemo(() => editorTheme(resolvedTheme === 'dark'), [resolvedTheme]);

  useEffect(() => {
    if (view.current) tell(view.current, told);
  }, [told]);
  useEffect(() => {
    if (view.current && goTo) goToLine(view.current, goTo.line);
  }, [goTo]);

  return (
    <CodeMirror
      value={source}
      onChange={onChange}
      onCreateEditor={(created) => {
        view.current = created;
        if (told.length > 0) tell(created, told);
      }}
      extensions={extensions}
      theme={theme}
      basicSetup={BASIC}
      indentWithTab={false}
      height="100%"
      className="h-full"
      data-editor={language}
    />
  );
}
