'use client';
import { Handle, type HandleProps } from './handle';

interface XHandleProps extends Pick<
  HandleProps,
  'label' | 'text' | 'value' | 'min' | 'max' | 'reversed' | 'far' | 'children'
> {
  area: { x: number; y: number; w: number; h: number };
  /** Value at a place of the figure, px. */
  valueAt: (x: number) => number;
  onChange: (value: number) => void;
}

/** A value that is dragged along an area of a drawing. `children`: what shows it. */
export function XHandle({ area, valueAt, onChange, children, ...rest }: XHandleProps) {
  return (
    <Handle
      {...rest}
      as="g"
      jumps
      valueAt={({ currentTarget, clientX }) =>
        valueAt(clientX - (currentTarget as SVGElement).ownerSVGElement!.getBoundingClientRect().left)
      }
      onChange={(to) => {
        if (to !== rest.value) onChange(to);
      }}
      className="cursor-ew-resize touch-pan-y"
    >
      <rect x={area.x} y={area.y} width={area.w} height={area.h} fillOpacity={0} />
      {children}
    </Handle>
  );
}
