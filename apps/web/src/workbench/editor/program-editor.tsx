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
  /** Ctrl Enter. Changes seldom: the editor is set up again when it does. */
  onRun: () => void;
  /** What the last run said of lines. */
  told: readonly Told[];
  /** A line to go to. Another object of the same line goes there again. */
  goTo: { line: number } | null;
  /** Of the text that says how to leave with Tab. */
  describedBy: string;
}

const BASIC = {
  foldGutter: false,
  highlightActiveLine: true,
  highlightSelectionMatches: true,
  // Each language brings its own.
  autocompletion: false,
  // The page’s colors come with `highlighting`.
  syntaxHighlighting: false,
} as const;

/** The program of a task. Each language is an editor of its own. */
export default function ProgramEditor(props: ProgramEditorProps) {
  const { language, source, onChange, onRun, told, goTo, describedBy } = props;
  const { resolvedTheme } = useTheme();
  const view = useRef<EditorView | null>(null);
  const client = useLanguage();

  // What stays the same object is kept when the rest changes: its state, such as underlined types, lives on.
  const own = useMemo(
    () => [language === 'typescript' ? typescriptExtension(client) : cExtension(), toldLines, highlighting],
    [language, client],
  );
  const extensions = useMemo(
    () => [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }])),
      keymap.of([indentWithTab]),
      indentUnit.of('  '),
      // A long line, or what is said of it, would end outside the box.
      EditorView.lineWrapping,
      own,
      EditorView.contentAttributes.of({
        'aria-label': `Program ${WORKBENCH_FILE[language]}`,
        'aria-describedby': describedBy,
        // What scrolls holds something that keys reach, which axe knows by this only.
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
