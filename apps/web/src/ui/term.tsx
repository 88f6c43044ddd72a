'use client';
import { createContext, use, type ReactNode } from 'react';
import { Explained } from './explained';
import { TERMS, type TermId } from './terms';

/** True on a page that lists its terms: their many marks in its texts are then no stops of the Tab key. */
export const TermsListed = createContext(false);

/** A term of the field, explained on hover, focus or tap. A page without one does not load the glossary. */
export function Term({ id, children }: { id: TermId; children?: ReactNode }) {
  return (
    <Explained meaning={TERMS[id].meaning} tabIndex={use(TermsListed) ? -1 : undefined}>
      {children ?? TERMS[id].term}
    </Explained>
  );
}
