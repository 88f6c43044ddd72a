import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const mono = 'var(--font-mono), ui-monospace, monospace';

/** The editor in the page’s tokens, which change with the theme by themselves; `dark` tells CodeMirror’s own styles. */
export const editorTheme = (dark: boolean) =>
  EditorView.theme(
    {
      '&': { color: 'var(--ink)', backgroundColor: 'var(--panel)', fontSize: '0.8125rem', height: '100%' },
      '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
      '.cm-scroller': { fontFamily: mono, lineHeight: '1.25rem' },
      '.cm-content': { caretColor: 'var(--ink)', paddingBlock: '0.5rem' },
      '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
      '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
        backgroundColor: 'var(--field)',
      },
      '.cm-gutters': {
        color: 'var(--ink-3)',
        backgroundColor: 'var(--panel)',
        borderRight: '1px solid var(--line)',
      },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
      '&.cm-focused .cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'var(--hover)' },
      '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
        backgroundColor: 'var(--field)',
        outline: '1px solid var(--line-strong)',
      },
      '.cm-selectionMatch': { backgroundColor: 'var(--hover)' },
      '.cm-tooltip': {
        color: 'var(--ink)',
        backgroundColor: 'var(--panel)',
        border: '1px solid var(--line-strong)',
        borderRadius: '4px',
        boxShadow: '0 4px 16px rgb(0 0 0 / 0.15)',
      },
      '.cm-tooltip.cm-tooltip-autocomplete > ul': {
        fontFamily: mono,
        fontSize: '0.75rem',
        maxHeight: '14rem',
      },
      '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem 0.5rem' },
      '.cm-tooltip-autocomplete ul li[aria-selected], .cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]':
        { color: 'var(--on-accent)', backgroundColor: 'var(--accent)' },
      '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
      '.cm-completionInfo': { maxWidth: '30rem', padding: '0.5rem 0.75rem' },
      '.cm-known': { maxWidth: 'min(34rem, 90vw)', padding: '0.5rem 0.75rem', fontSize: '0.8125rem' },
      '.cm-known-signature': { fontFamily: mono, fontSize: '0.75rem', whiteSpace: 'pre-wrap' },
      '.cm-known-docs': { marginTop: '0.25rem', color: 'var(--ink-2)', whiteSpace: 'pre-line' },
      '.cm-diagnostic': { fontFamily: 'inherit', fontSize: '0.8125rem', whiteSpace: 'pre-wrap' },
      '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
      '.cm-lintRange-error': {
        backgroundImage: 'none',
        textDecoration: 'underline wavy var(--error) 1px',
        textUnderlineOffset: '3px',
        textDecorationSkipInk: 'none',
      },
      '.cm-lintRange-warning': {
        backgroundImage: 'none',
        textDecoration: 'underline wavy var(--retx) 1px',
        textUnderlineOffset: '3px',
        textDecorationSkipInk: 'none',
      },
      '.cm-told-line': { backgroundColor: 'var(--error-wash)' },
      '.cm-told': {
        borderLeft: '2px solid var(--error)',
        backgroundColor: 'var(--error-wash)',
        color: 'var(--error-ink)',
        padding: '0.125rem 0.75rem',
        fontFamily: 'var(--font-sans)',
        whiteSpace: 'pre-wrap',
      },
      '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--sunken)' },
      '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
      '.cm-textfield': { backgroundColor: 'var(--panel)', border: '1px solid var(--line-strong)' },
      '.cm-button': {
        backgroundImage: 'none',
        backgroundColor: 'var(--panel)',
        border: '1px solid var(--line-strong)',
        borderRadius: '4px',
      },
      '.cm-searchMatch': { backgroundColor: 'var(--field)' },
    },
    { dark },
  );

/** The colors of the code tabs of the labs. */
const STYLE = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-3)' },
  { tag: [tags.string, tags.regexp, tags.character], color: 'var(--ok-ink)' },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--tcp-ink)' },
  { tag: [tags.typeName, tags.className], color: 'var(--rdma-ink)' },
  { tag: [tags.processingInstruction, tags.meta], color: 'var(--nak-ink)' },
]);

export const highlighting = syntaxHighlighting(STYLE);
