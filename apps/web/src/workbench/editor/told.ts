import { RangeSet, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';

/** Message of a run about a line; lines count from 1. */
export interface Told {
  line: number;
  text: string;
}

class ToldWidget extends WidgetType {
  constructor(readonly text: string) {
    super();
  }

  override eq(other: ToldWidget): boolean {
    return other.text === this.text;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('div');
    element.className = 'cm-told';
    element.setAttribute('role', 'note');
    element.dataset.told = '';
    element.textContent = this.text;
    return element;
  }
}

const setTold = StateEffect.define<readonly Told[]>();

function decorate(doc: Text, list: readonly Told[]): DecorationSet {
  const ranges = list
    .filter(({ line }) => line >= 1 && line <= doc.lines)
    .flatMap(({ line, text }) => {
      const { from, to } = doc.line(line);
      return [
        Decoration.line({ class: 'cm-told-line' }).range(from),
        Decoration.widget({ widget: new ToldWidget(text), block: true, side: 1 }).range(to),
      ];
    });
  return RangeSet.of(ranges, true);
}

/**
 * Messages of the last run, below their lines. Changing a line removes its messages, because it is no longer the line
 * that was run.
 */
export const toldLines: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, { state, changes, docChanged, effects }) {
    for (const effect of effects) if (effect.is(setTold)) return decorate(state.doc, effect.value);
    if (!docChanged) return value;
    const touched = new Set<number>();
    changes.iterChangedRanges((_a, _b, from, to) => {
      for (let line = state.doc.lineAt(from).number; line <= state.doc.lineAt(to).number; line++)
        touched.add(line);
    });
    return value.map(changes).update({ filter: (from) => !touched.has(state.doc.lineAt(from).number) });
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows messages about lines. Scrolls the editor, not the page, to the first of them; the cursor stays. */
export function tell(view: EditorView, list: readonly Told[]): void {
  view.dispatch({ effects: setTold.of(list) });
  const { doc } = view.state;
  const lines = list.map(({ line }) => line).filter((line) => line >= 1 && line <= doc.lines);
  if (lines.length === 0) return;
  const { from } = doc.line(Math.min(...lines));
  // The heights of lines out of sight are estimates until they are drawn.
  view.requestMeasure({
    read: ({ scrollDOM }) => ({
      block: view.lineBlockAt(from),
      seen: scrollDOM.scrollTop,
      height: scrollDOM.clientHeight,
    }),
    write: ({ block, seen, height }, { scrollDOM }) => {
      if (block.top < seen || block.bottom > seen + height) scrollDOM.scrollTop = block.top - height / 3;
    },
  });
}

/** Scrolls to a line and moves the cursor to its first character. */
export function goToLine(view: EditorView, line: number): void {
  const { doc } = view.state;
  const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const at = from + text.length - text.trimStart().length;
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  view.focus();
}
