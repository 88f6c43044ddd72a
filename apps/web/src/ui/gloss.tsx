import { Fragment } from 'react';
import { Term } from './term';
import { spansOf } from './terms';

/** A text of a lab: each term of the field explains itself where it stands first, and what stands between backticks is code. */
export function Gloss({ children }: { children: string }) {
  const seen = new Set<ReturnType<typeof spansOf>[number]['id'] & string>();
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="num text-[0.93em]">
        {part}
      </code>
    ) : (
      <Fragment key={index}>
        {spansOf(part, seen).map((span, i) =>
          span.id ? (
            <Term key={i} id={span.id}>
              {span.text}
            </Term>
          ) : (
            <Fragment key={i}>{span.text}</Fragment>
          ),
        )}
      </Fragment>
    ),
  );
}
