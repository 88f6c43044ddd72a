import type { ReactNode } from 'react';
import { Explained } from './explained';
import { TERMS, type TermId } from './terms';

/** A term of the field, explained on hover, focus or tap. A page without one does not load the glossary. */
export function Term({ id, children }: { id: TermId; children?: ReactNode }) {
  return <Explained meaning={TERMS[id].meaning}>{children ?? TERMS[id].term}</Explained>;
}
