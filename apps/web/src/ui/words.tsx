import { Fragment } from 'react';

/** A sentence of the error tables or of a lab: what stands between backticks, there as on the terminal, is set as code. */
export function Words({ children }: { children: string | undefined }) {
  return children?.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="num text-[0.93em]">
        {part}
      </code>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
