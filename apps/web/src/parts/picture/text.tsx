import { cn } from '../../ui/cn';
import type { Place } from './geometry';
import { cut, wrap } from './words';

interface TextProps {
  at: Place;
  children: string;
  /** `on` for what works or is new, `dim` is the default. */
  className?: string | undefined;
  mono?: boolean;
}

/** A line of text, cut with `…` if it does not fit; a mouse then shows all of it. */
export function Text({ at, children, className, mono = false }: TextProps) {
  const shown = cut(children, at.w, mono);
  return (
    <text x={at.x} y={at.y} textAnchor={at.anchor} className={cn(className, mono && 'mono')}>
      {shown}
      {shown === children ? null : <title>{children}</title>}
    </text>
  );
}

/** Text on up to `most` lines. `up`: its last line stands at the place. */
export function Lines(props: {
  at: Place;
  texts: readonly string[];
  most: number;
  className?: string;
  up?: boolean;
}) {
  const { at, texts, most, className, up = false } = props;
  const lines = wrap(texts, at.w, most);
  const first = up ? at.y - (lines.length - 1) * 15 : at.y;
  return lines.map((line, i) => (
    <text key={i} x={at.x} y={first + i * 15} textAnchor={at.anchor} className={className}>
      {line}
    </text>
  ));
}
