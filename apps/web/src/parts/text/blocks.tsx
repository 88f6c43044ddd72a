'use client';
import { Fragment, type ReactNode } from 'react';
import { PageLink } from '../../ui/page-link';
import { Term } from '../../ui/term';
import type { Shown, ShownBlock } from './glossed';
import { LiveText, PanelLink } from './live';

const LINK = 'text-accent underline underline-offset-4 hover:no-underline';

function Words({ list }: { list: readonly Shown[] }): ReactNode {
  return list.map((one, i) => <Fragment key={i}>{word(one)}</Fragment>);
}

function word(one: Shown): ReactNode {
  switch (one.kind) {
    case 'text':
      return one.text;
    case 'code':
      return <code className="num text-[0.93em]">{one.text}</code>;
    case 'term':
      return <Term id={one.id}>{one.text}</Term>;
    case 'value':
      return <LiveText value={one} />;
    case 'strong':
      return (
        <strong className="font-semibold text-ink">
          <Words list={one.children} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Words list={one.children} />
        </em>
      );
    case 'link':
      return (
        <a href={one.href} target="_blank" rel="noopener noreferrer" className={LINK}>
          <Words list={one.children} />
        </a>
      );
    case 'lab':
      return (
        <PageLink href={`/labs/${one.lab}`} className={LINK}>
          <Words list={one.children} />
        </PageLink>
      );
    case 'panel':
      return (
        <PanelLink view={one.view} className={LINK}>
          <Words list={one.children} />
        </PanelLink>
      );
  }
}

/** A section of a lab's text. */
export function Blocks({ list }: { list: readonly ShownBlock[] }) {
  return (
    <div className="prose space-y-3 text-ink-2">
      {list.map((block, i) => (
        <OneBlock key={i} block={block} />
      ))}
    </div>
  );
}

/** A list of short items has no paragraphs of its own. */
function Item({ list }: { list: readonly ShownBlock[] }) {
  const [only] = list;
  return list.length === 1 && only?.kind === 'paragraph' ? (
    <Words list={only.children} />
  ) : (
    <Blocks list={list} />
  );
}

function OneBlock({ block }: { block: ShownBlock }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Words list={block.children} />
        </p>
      );
    case 'heading':
      return (
        <h3 className="pt-1 text-14 font-semibold text-ink">
          <Words list={block.children} />
        </h3>
      );
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="num thin-scroll overflow-auto border-l-2 border-line-strong bg-sunken px-3 py-2 text-13"
        >
          {block.text}
        </pre>
      );
    case 'quote':
      return (
        <blockquote className="border-l-2 border-line-strong pl-3">
          <Blocks list={block.blocks} />
        </blockquote>
      );
    case 'rule':
      return <hr className="border-line" />;
    case 'list': {
      const items = block.items.map((item, i) => (
        <li key={i}>
          <Item list={item} />
        </li>
      ));
      return block.ordered ? (
        <ol className="list-decimal space-y-1 pl-5">{items}</ol>
      ) : (
        <ul className="list-disc space-y-1 pl-4">{items}</ul>
      );
    }
    case 'table':
      return (
        <div className="thin-scroll overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
          <table className="text-13">
            <thead className="text-12 text-ink-3">
              <tr className="border-b">
                {block.head.map((cell, i) =>
                  // The first column often has no name.
                  cell.length === 0 ? (
                    <td key={i} />
                  ) : (
                    <th key={i} scope="col" className="h-7 pr-6 text-left font-normal">
                      <Words list={cell} />
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody className="divide-y border-b">
              {block.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j} className="py-1 pr-6 align-top">
                      <Words list={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}
