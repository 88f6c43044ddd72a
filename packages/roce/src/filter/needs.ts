import type { Expression } from './ast.js';
import { filterField } from './fields.js';

/** What a filter reads of a packet besides its number, times and lengths. */
export interface Needs {
  bytes: boolean;
  /** Marks of the packet in its connection. */
  marks: boolean;
}

function* namesIn(e: Expression): Generator<string> {
  switch (e.kind) {
    case 'and':
    case 'or':
      yield* namesIn(e.left);
      yield* namesIn(e.right);
      return;
    case 'not':
      yield* namesIn(e.of);
      return;
    case 'compare':
      yield e.left.word.text;
      if (!e.right.word.quoted) yield e.right.word.text;
      return;
    case 'test':
    case 'in':
      yield e.operand.word.text;
  }
}

export function needsOf(tree: Expression | null): Needs {
  const needs: Needs = { bytes: false, marks: false };
  for (const name of tree ? namesIn(tree) : []) {
    const of = filterField(name);
    if (!of) continue;
    if (of.source === 'marks') needs.marks = true;
    else if (of.source !== 'record') needs.bytes = true;
  }
  return needs;
}
