import {
  autocompletion,
  completeAnyWord,
  type Completion,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { cpp } from '@codemirror/lang-cpp';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { C_NAMES, type CName } from './c-names';
import { knownElement } from './known';

const known = ({ signature, docs }: CName) => knownElement({ signature, docs, tags: [] });

const OPTIONS = C_NAMES.map((one): Completion => ({
  label: one.name,
  type: one.kind,
  info: () => known(one),
}));
const BY_NAME = new Map(C_NAMES.map((one) => [one.name, one]));

/** C with the names of libibverbs: completion and hover from a table. Types are the compiler’s business. */
export function cExtension(): Extension {
  const complete = (context: CompletionContext) => {
    const word = context.matchBefore(/\w+$/);
    if (!word || (!context.explicit && !/^(?:ibv|rdma|IBV)/.test(word.text))) return null;
    return { from: word.from, options: OPTIONS, validFor: /^\w*$/ };
  };
  const hover = hoverTooltip((view, pos) => {
    const word = view.state.wordAt(pos);
    const found = word && BY_NAME.get(view.state.sliceDoc(word.from, word.to));
    if (!word || !found) return null;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom: known(found) }) };
  });
  return [cpp(), autocompletion({ override: [complete, completeAnyWord], icons: false }), hover];
}
