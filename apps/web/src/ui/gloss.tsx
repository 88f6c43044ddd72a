import { Fragment } from 'react';
import { Term } from './term';
import { spansOf } from './term-spans';

type Span = ReturnType<typeof spansOf>[number];

/** Punctuation right after a term, which must not begin the next line. */
const mark = (span: Span | undefined, before: Span | undefined): string =>
  (before?.id && span && !span.id && /^[.,;:)?]+/.exec(span.text)?.[0]) || '';

/** A text of a lab: each term of the field explains itself where it stands first, and what stands between backticks is code. */
export function Gloss({ children }: { children: string }) {
  const seen = new Set<Span['id'] & string>();
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="num text-[0.93em]">
        {part}
      </code>
    ) : (
      <Fragment key={index}>
        {spansOf(part, seen).map((span, i, all) => {
          if (!span.id) return <Fragment key={i}>{span.text.slice(mark(span, all[i - 1]).length)}</Fragment>;
          const term = (
            <Term key={i} id={span.id}>
              {span.text}
            </Term>
          );
          const after = mark(all[i + 1], span);
          return after === '' ? (
            term
          ) : (
            <span key={i} className="whitespace-nowrap">
              {term}
              {after}
            </span>
          );
        })}
      </Fragment>
    ),
  );
}
