import { memo } from 'react';
import type { Flow, Focus, HostState, Owner, QueueKind } from '../../model/picture/state';
import { cn } from '../../ui/cn';
import { Flows } from './flows';
import type { Box, HostPlace, RowPlace } from './geometry';
import { Ring } from './ring';
import { Ruler } from './ruler';
import { same } from './same';
import { Lines, Text } from './text';
import { cut, widthOf } from './words';

/** Fills of what was not recorded and of what was refused. */
export interface Hatches {
  unknown: string;
  error: string;
}

interface HostProps {
  place: HostPlace;
  tall: boolean;
  host: HostState;
  /** Flows of this host, each once. */
  moving: readonly Flow[];
  focus: readonly Focus[] | null;
  hatches: Hatches;
  playing: boolean;
}

const KINDS: readonly QueueKind[] = ['sq', 'rq', 'cq'];

/** A host from the outside in: program, library, queues, memory and kernel, and the device beside the wire. */
export const Host = memo(
  function Host({ place, tall, host, moving, focus, hatches, playing }: HostProps) {
    const { side } = place;
    const lit = (owner: Owner): boolean => host.lit.includes(owner);
    const quiet = (part: QueueKind | 'memory'): boolean => !!focus && !focus.includes(`${side}.${part}`);
    const bell = moving.includes('doorbell');
    return (
      <g data-host={side} data-lit={host.lit.join(' ') || undefined}>
        <Title place={place} host={host} />
        <rect {...sizeOf(place.box)} rx={4} className="host" />
        {lit('kernel') ? null : <rect {...inside(place.kernel.box)} className="away" />}
        <Band box={place.program.box} owner="program" lit={lit('program')} end={!tall && side === 'server'} />
        <Band box={place.library.box} owner="library" lit={lit('library')} end={!tall && side === 'server'} />
        <Band box={place.device.box} owner="device" lit={lit('device')} end={!tall && side === 'client'} />
        <Band box={place.kernel.box} owner="kernel" lit={lit('kernel')} end={!tall && side === 'server'} />
        <path d={edges(place, tall)} className="sep" />
        <Flows place={place} moving={moving} quietData={quiet('memory')} playing={playing} />
        <Row
          row={place.program}
          name="Program"
          text={host.code ?? 'no call recorded'}
          beside={host.line}
          lit={lit('program')}
          mono={host.code !== null}
        />
        <Row
          row={place.library}
          name="Library"
          text={host.library ?? 'idle'}
          beside={null}
          lit={lit('library')}
        />
        {KINDS.map((kind) => {
          const ring = host.rings[kind];
          const at = place.rings[kind];
          return ring && at ? (
            <Ring
              key={kind}
              {...{ ring, kind, side }}
              place={at}
              quiet={quiet(kind)}
              hatch={hatches.unknown}
              up={tall && side === 'server'}
            />
          ) : null;
        })}
        <Ruler
          {...{ side }}
          place={place.memory}
          ruler={host.memory}
          more={host.moreRegions}
          quiet={quiet('memory')}
          hatchError={hatches.error}
        />
        <Device place={place} host={host} lit={lit('device')} bell={bell} tall={tall} />
        <Kernel place={place} text={host.kernel} lit={lit('kernel')} tall={tall} />
      </g>
    );
  },
  (a, b) =>
    a.place === b.place &&
    a.hatches === b.hatches &&
    a.playing === b.playing &&
    same(a.moving, b.moving) &&
    same(a.focus, b.focus) &&
    same(a.host, b.host),
);

const sizeOf = ({ x, y, w, h }: Box) => ({ x, y, width: w, height: h });
const inside = ({ x, y, w, h }: Box) => ({ x: x + 0.5, y: y + 0.5, width: w - 1, height: h - 1 });

function Title({ place, host }: { place: HostPlace; host: HostState }) {
  const { x, y, anchor, w } = place.title;
  const width = widthOf(host.title) * 1.16 + 10;
  const beside = anchor === 'end' ? x - width : x + width;
  return (
    <>
      <Text at={place.title} className="title">
        {host.title}
      </Text>
      {host.address === null ? null : (
        <Text at={{ x: beside, y, w: w - width, ...(anchor ? { anchor } : {}) }} mono>
          {host.address}
        </Text>
      )}
    </>
  );
}

/** The color of an owner while it works, with a thick edge at the outside of its host, or at the wire for a device. */
function Band(props: { box: Box; owner: Owner; lit: boolean; end: boolean }) {
  const { box, owner, lit, end } = props;
  if (!lit) return null;
  return (
    <g className={`works ${owner}`} data-works={owner}>
      <rect {...inside(box)} className="band" />
      <rect
        x={end ? box.x + box.w - 3 : box.x}
        y={box.y + 0.5}
        width={3}
        height={box.h - 1}
        className="edge"
      />
    </g>
  );
}

/** Lines between the parts of a host. */
function edges({ box, program, library, device, kernel }: HostPlace, tall: boolean): string {
  const across = (y: number): string => `M${box.x} ${y}h${box.w}`;
  const upright = (x: number, { y, h }: Box): string => `M${x} ${y}v${h}`;
  const first = library.box.y > program.box.y;
  const between = first ? library.box.y : program.box.y;
  if (tall) {
    const end = first ? library.box.y + library.box.h : library.box.y;
    const beside = first ? device.box.y : device.box.y + device.box.h;
    return across(between) + across(end) + across(beside) + upright(kernel.box.x, kernel.box);
  }
  const inner = device.box.x > box.x + 1 ? device.box.x : device.box.x + device.box.w;
  return (
    across(between) +
    across(device.box.y) +
    upright(inner, device.box) +
    `M${kernel.box.x} ${kernel.box.y}h${kernel.box.w}`
  );
}

interface RowProps {
  row: RowPlace;
  name: string;
  text: string;
  beside: string | null;
  lit: boolean;
  mono?: boolean;
}

/** Program or library, and what it does. `beside`: where in the source. */
function Row({ row, name, text, beside, lit, mono = false }: RowProps) {
  const { label, text: at, stacked } = row;
  // A place in the source that leaves no room for the code is left out.
  const width = beside === null ? 0 : widthOf(beside, true) + 12;
  const fits = beside !== null && (stacked ? label.w - 60 : at.w - 120) > width;
  return (
    <>
      <Text at={label} className={lit ? 'mid' : 'dim'}>
        {name}
      </Text>
      <Text
        at={stacked || !fits ? at : { ...at, w: at.w - width }}
        className={lit ? 'on' : 'dim'}
        mono={mono}
      >
        {text}
      </Text>
      {fits ? (
        <Text
          at={{ x: label.x + label.w, y: label.y, w: width, anchor: 'end' }}
          className={lit ? 'mid' : 'dim'}
          mono
        >
          {beside}
        </Text>
      ) : null}
    </>
  );
}

function Device(props: { place: HostPlace; host: HostState; lit: boolean; bell: boolean; tall: boolean }) {
  const { place, host, lit, bell, tall } = props;
  const { label, text, identity } = place.device;
  const { qp, deviceName } = host;
  const broken = qp?.state === 'ERR' || qp?.state === 'SQE';
  const unknown = widthOf('state unknown', true) <= identity.w ? 'state unknown' : 'state ?';
  const state = qp ? (qp.state ?? unknown) : null;
  const idle = bell && tall ? 'doorbell' : 'idle';
  const works = host.device.length === 0 ? [idle] : tall ? [host.device.join(' ')] : host.device;
  const lines = [
    ...(qp ? [{ text: `QP ${qp.number}`, broken: false }] : []),
    ...(state === null ? [] : [{ text: state, broken }]),
    ...(deviceName === null ? [] : [{ text: deviceName, broken: false }]),
  ];
  return (
    <>
      <Text at={label} className={lit ? 'mid' : 'dim'}>
        Device
      </Text>
      <Lines at={text} texts={works} most={text.lines} className={lit ? 'on' : 'dim'} />
      {tall ? (
        <InARow at={identity} lines={lines} lit={lit} />
      ) : (
        lines.map(({ text: line, broken: bad }, i) => (
          <Text
            key={i}
            at={{ ...identity, y: identity.y - (lines.length - 1 - i) * 16 }}
            className={bad ? 'broken' : lit ? 'mid' : 'dim'}
            mono
          >
            {line}
          </Text>
        ))
      )}
      {place.bell ? (
        <Text at={place.bell} className={bell ? 'on' : 'dim'}>
          {bell ? 'doorbell' : ''}
        </Text>
      ) : null}
    </>
  );
}

/** QP, its state and the device beside each other; what does not fit is cut. */
function InARow(props: {
  at: HostPlace['device']['identity'];
  lines: readonly { text: string; broken: boolean }[];
  lit: boolean;
}) {
  const { at, lines, lit } = props;
  return (
    <text x={at.x} y={at.y} className={cn('mono', lit ? 'mid' : 'dim')}>
      {lines.map(({ text, broken }, i) => {
        const before = lines.slice(0, i).reduce((sum, line) => sum + widthOf(`${line.text}  `, true), 0);
        return (
          <tspan key={i} dx={i === 0 ? 0 : 14} className={broken ? 'broken' : undefined}>
            {cut(text, at.w - before, true)}
          </tspan>
        );
      })}
    </text>
  );
}

function Kernel(props: { place: HostPlace; text: string | null; lit: boolean; tall: boolean }) {
  const { place, text, lit, tall } = props;
  const { label } = place.kernel;
  const words = text ?? 'not on the path';
  const kind = lit ? 'on' : 'dim';
  if (tall) {
    return (
      <text transform={`translate(${label.x} ${label.y}) rotate(-90)`} textAnchor="middle" className={kind}>
        {cut(`Kernel: ${words}`, label.w)}
      </text>
    );
  }
  return (
    <>
      <Text at={{ ...label, w: 46 }} className={lit ? 'mid' : 'dim'}>
        Kernel
      </Text>
      <Text at={{ ...label, x: label.x + 50, w: label.w - 50 }} className={kind}>
        {words}
      </Text>
    </>
  );
}
