import { autocompletion, type Completion, type CompletionContext } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { linter } from '@codemirror/lint';
import { StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  EditorView,
  hoverTooltip,
  showTooltip,
  ViewPlugin,
  type Tooltip,
  type ViewUpdate,
} from '@codemirror/view';
import type { LanguageClient } from '../language/client';
import type { Details } from '../language/messages';
import { knownElement } from './known';

/** Pause after the last key until types are checked, ms. */
const CHECK_MS = 400;

/** Icons of CodeMirror's list, by the service's kinds. */
const ICONS: Readonly<Record<string, string>> = {
  method: 'method',
  function: 'function',
  'local function': 'function',
  property: 'property',
  getter: 'property',
  setter: 'property',
  class: 'class',
  interface: 'interface',
  type: 'type',
  enum: 'enum',
  keyword: 'keyword',
  const: 'constant',
  module: 'namespace',
  string: 'text',
};

/** Null if the worker could not be loaded. The editor then has no completion, but highlighting and running work. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

/** TypeScript with completion, hover, signatures and type errors from the language service. */
export function typescriptExtension(client: LanguageClient): Extension {
  const textOf = (view: EditorView) => view.state.doc.toString();

  async function complete(context: CompletionContext) {
    const member = context.matchBefore(/[.'"]\w*$/);
    const word = context.matchBefore(/[\w$]+$/);
    if (!context.explicit && !member && !word) return null;
    const text = context.state.doc.toString();
    const found = await orNull(client.ask('completions', text, context.pos));
    if (!found || context.aborted) return null;
    return {
      from: found.from,
      validFor: /^[\w$]*$/,
      options: found.list.map(({ label, kind, sort, insert }): Completion => ({
        label,
        type: ICONS[kind] ?? 'variable',
        // Members and locals come before globals and keywords.
        boost: Math.max(-99, 11 - Number.parseInt(sort, 10)) || 0,
        ...(insert === undefined ? {} : { apply: insert }),
        info: async () => {
          const details = await orNull(client.ask('details', text, context.pos, label));
          return details && knownElement(details);
        },
      })),
    };
  }

  const hover = hoverTooltip(async (view, pos) => {
    const found = await orNull(client.ask('hover', textOf(view), pos));
    return found && tooltip(found.from, found, found.to);
  });

  const check = linter(
    async (view) => {
      const text = textOf(view);
      const problems = (await orNull(client.ask('problems', text))) ?? [];
      return problems.map(({ from, to, severity, message }) => ({
        from: Math.min(from, text.length),
        to: Math.min(to, text.length),
        severity,
        message,
      }));
    },
    { delay: CHECK_MS },
  );

  return [
    javascript({ typescript: true }),
    autocompletion({ override: [complete], icons: false }),
    hover,
    check,
    signatures(client),
  ];
}

const tooltip = (pos: number, details: Details, end?: number): Tooltip => ({
  pos,
  ...(end === undefined ? {} : { end }),
  above: true,
  create: () => ({ dom: knownElement(details) }),
});

const setSignature = StateEffect.define<Tooltip | null>();

/** Tooltip with the parameters of the call that is being typed, above it. */
function signatures(client: LanguageClient): Extension {
  const shown = StateField.define<Tooltip | null>({
    create: () => null,
    update(value, transaction) {
      for (const effect of transaction.effects) if (effect.is(setSignature)) return effect.value;
      return value && transaction.docChanged
        ? { ...value, pos: transaction.changes.mapPos(value.pos) }
        : value;
    },
    provide: (field) => showTooltip.from(field),
  });
  const ask = ViewPlugin.define((view) => {
    let asked = 0;
    const update = async ({ state }: EditorView): Promise<void> => {
      const at = state.selection.main.head;
      const mine = ++asked;
      const found = await orNull(client.ask('signature', state.doc.toString(), at));
      if (mine === asked) view.dispatch({ effects: setSignature.of(found && tooltip(found.from, found)) });
    };
    return {
      update(change: ViewUpdate) {
        const typed = change.transactions.some(
          (one) => one.isUserEvent('input') || one.isUserEvent('delete'),
        );
        const open = change.state.field(shown) !== null;
        // Moving the cursor does not open the tooltip: the reader is not typing a call.
        if ((typed && change.docChanged) || (open && change.selectionSet)) void update(view);
      },
      destroy: () => void ++asked,
    };
  });
  const close = EditorView.domEventHandlers({
    blur: (_, view) => {
      if (view.state.field(shown)) view.dispatch({ effects: setSignature.of(null) });
    },
    keydown: (event, view) => {
      if (event.key !== 'Escape' || !view.state.field(shown)) return false;
      view.dispatch({ effects: setSignature.of(null) });
      return false;
    },
  });
  return [shown, ask, close];
}
