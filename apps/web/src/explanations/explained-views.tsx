'use client';
import { resultViews } from '@verbslab/labs';
import { useMemo, type ReactNode } from 'react';
import type { Mark } from '@verbslab/charts';
import { CurveBlock, Figures, Block } from '../parts/results/lab-results';
import { ResultTable } from '../parts/results/result-table';
import type { Explained } from './types';

/** Figures, curves and tables that an explanation computed. `marks`: places on the x axes that the controls chose. */
export function ExplainedViews(props: {
  of: Explained;
  marks?: readonly Mark[];
  /** Stands before the tables. */
  children?: ReactNode;
}) {
  const { of, marks, children } = props;
  const { id, using, specs, found } = of;
  const { figures, tables, curves } = useMemo(() => resultViews(found, { results: specs }), [found, specs]);
  return (
    <div className="space-y-8" data-explains={id} data-using={JSON.stringify(using)}>
      <h2 className="sr-only">Figures of the run</h2>
      {figures.length > 0 ? <Figures list={figures} as="explained" /> : null}
      {children}
      {curves.map((curve) => (
        <CurveBlock key={curve.name} curve={curve} as="explained" {...(marks ? { marks } : {})} />
      ))}
      {tables.map((table) => (
        <Block key={table.name} title={table.label} text={table.text}>
          <ResultTable table={table} shows="explained-table" />
        </Block>
      ))}
    </div>
  );
}
