'use client';
import type { LabFabric } from '@verbslab/protocol';
import { useMemo, useRef } from 'react';
import { BOX_HEIGHT, drawFabric, type FabricBox, type FabricLink } from '../../model/fabric-drawing';
import { Gloss } from '../../ui/gloss';
import { cn } from '../../ui/cn';
import { useFigureWidth } from '../../ui/use-figure-width';

/** The fabric of a simulated lab before its run: hosts, switches, links, and what is sent. */
export function FabricPicture({ fabric }: { fabric: LabFabric }) {
  const place = useRef<HTMLDivElement>(null);
  const width = useFigureWidth(place);
  const drawing = useMemo(() => drawFabric(fabric, width), [fabric, width]);
  return (
    <div ref={place} className="min-w-0" data-fabric data-words>
      <p className="mb-3 text-14 text-ink-2">
        <Gloss>{fabric.text}</Gloss>
      </p>
      <svg viewBox={`0 0 ${width} ${drawing.height}`} className="w-full" role="img" aria-label={fabric.text}>
        {drawing.links.map((link, i) => (
          <Link key={i} {...link} />
        ))}
        {drawing.boxes.map((box, i) => (
          <Box key={i} {...box} />
        ))}
      </svg>
      <p className="mt-2 text-12 text-ink-3">
        {fabric.flows ? '▲ sends, ▼ receives. A line is as wide as its flows are many. ' : ''}
        Simulated; the hosts run the transport engine of this device.
      </p>
    </div>
  );
}

function Link({ from, to, flows }: FabricLink) {
  const carries = flows !== null && flows > 0;
  return (
    <line
      {...{ x1: from[0], y1: from[1], x2: to[0], y2: to[1] }}
      className={carries ? 'stroke-rdma' : 'stroke-line-strong'}
      strokeWidth={carries ? 1.5 + Math.log2(flows) : 1}
    />
  );
}

function Box({ kind, x, y, w, label, sends, receives, linkBelow }: FabricBox) {
  const signs = `${sends ? '▲' : ''}${receives ? '▼' : ''}`;
  return (
    <g>
      <rect
        {...{ x, y, width: w, height: BOX_HEIGHT }}
        rx={4}
        className={cn(
          kind === 'switch' ? 'fill-sunken stroke-line-strong' : 'fill-panel',
          kind === 'host' && (sends || receives ? 'stroke-rdma' : 'stroke-line-strong'),
        )}
        strokeWidth={kind === 'host' && receives ? 2 : 1}
      />
      <text x={x + w / 2} y={y + BOX_HEIGHT / 2 + 4} textAnchor="middle" className="fill-ink-2 text-12">
        {label}
      </text>
      {signs ? (
        <text
          x={x + w / 2}
          y={linkBelow ? y - 5 : y + BOX_HEIGHT + 14}
          textAnchor="middle"
          className="fill-rdma-ink text-12"
        >
          {signs}
        </text>
      ) : null}
    </g>
  );
}
