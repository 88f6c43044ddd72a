import type { BytePath, Owner } from '../../model/paths/byte-path';
import { shareOf } from '../../model/paths/byte-path';
import type { Box, HostPlace } from './paths-geometry';

interface HostProps {
  place: HostPlace;
  side: 'client' | 'server';
  narrow: boolean;
  /** Paths that are drawn strongly: all, or the one that the reader points at. */
  paths: readonly BytePath[];
  /** All paths of the picture. */
  all: readonly BytePath[];
  /** True to show shares of the CPU time. */
  told: boolean;
}

/** Lit as strongly as the largest share of these paths, or null if no share is known. */
function lightOf(owner: Owner, paths: readonly BytePath[]): number | null {
  const shares = paths.flatMap(({ cpu }) => shareOf(owner, cpu) ?? []);
  return shares.length === 0 ? null : Math.max(...shares);
}

/** A host: program, memory, device and kernel. Those that work are lit as strongly as their share of the CPU time. */
export function PathHost({ place, side, paths, all, told }: Omit<HostProps, 'narrow'>) {
  const has = (...ways: BytePath['way'][]): boolean => all.some(({ way }) => ways.includes(way));
  const uses = (...ways: BytePath['way'][]): boolean => paths.some(({ way }) => ways.includes(way));
  const { host, program, memory, device, kernel } = place;
  const outer = side === 'client' ? memory.x : memory.x + memory.w;
  const anchor = side === 'client' ? 'start' : 'end';
  const lit = (owner: Owner) => (told ? lightOf(owner, paths) : null);
  return (
    <g data-host={side}>
      <rect {...boxed(host)} rx={4} className="host" />
      <Work owner="app" box={program} light={lit('app')} side={side} />
      <Work owner="kernel" box={kernel} light={lit('kernel')} side={side} under />
      <path d={`M${host.x} ${kernel.y}h${host.w}`} className="border" />
      <path d={`M${host.x} ${program.y + program.h}h${host.w}`} className="sep" />
      <text x={outer} y={program.y + 24} textAnchor={anchor} className="mid">
        Program
      </text>
      <text x={outer} y={memory.y - 8} textAnchor={anchor} className="mid">
        Memory
      </text>
      <text x={outer} y={host.y + host.h - 12} textAnchor={anchor} className="mid">
        Kernel
      </text>
      {has('rings', 'nic', 'device', 'sockets') ? (
        <Device
          box={device}
          name={has('nic') ? 'NIC' : 'Device'}
          light={uses('rings', 'nic', 'device', 'sockets') ? lit('nic') : null}
        />
      ) : null}
      <rect {...boxed(memory)} className="cells" />
      {[1, 2, 3, 4, 5].map((row) => (
        <path key={row} d={`M${memory.x} ${memory.y + (row * memory.h) / 6}h${memory.w}`} className="sep" />
      ))}
    </g>
  );
}

/** The parts of the kernel that the lines lead through, which lie above them. */
export function PathSockets({ place, side, narrow, paths, all }: Omit<HostProps, 'told'>) {
  const has = (way: BytePath['way']): boolean => all.some((one) => one.way === way);
  const uses = (way: BytePath['way']): boolean => paths.some((one) => one.way === way);
  const { upper, tcp, copy } = place;
  return (
    <g>
      {has('sockets') ? (
        <Socket box={upper} text={narrow ? 'UDP' : 'UDP socket'} on={uses('sockets')} />
      ) : null}
      {has('driver') ? <Socket box={upper} text="driver" on={uses('driver')} /> : null}
      {has('tcp') ? (
        <>
          <Socket box={tcp} text={narrow ? 'TCP' : 'TCP socket'} on={uses('tcp')} />
          <text
            x={side === 'client' ? copy.x + 12 : copy.x - 12}
            y={copy.y + 30}
            textAnchor={side === 'client' ? 'start' : 'end'}
            className={uses('tcp') ? 'on' : 'mid'}
          >
            copy
          </text>
        </>
      ) : null}
    </g>
  );
}

const boxed = ({ x, y, w, h }: Box) => ({ x, y, width: w, height: h });

/** Wash and edge of a part that works. `under`: gray below it. */
function Work(props: { owner: Owner; box: Box; light: number | null; side: string; under?: boolean }) {
  const { owner, box, light, side, under = false } = props;
  const edge = side === 'client' ? box.x : box.x + box.w - 3;
  return (
    <g data-owner={owner} data-light={light === null ? '' : light.toFixed(3)} className={`work ${owner}`}>
      {under ? <rect {...boxed(box)} className="ground" /> : null}
      {light === null ? null : (
        <>
          <rect {...boxed(box)} className="wash" opacity={0.34 * light} />
          <rect x={edge} y={box.y + box.h * (1 - light)} width={3} height={box.h * light} className="edge" />
        </>
      )}
    </g>
  );
}

function Device({ box, name, light }: { box: Box; name: string; light: number | null }) {
  return (
    <g className="work nic" data-owner="nic" data-light={light === null ? '' : light.toFixed(3)}>
      <text x={box.x + box.w / 2} y={box.y - 8} textAnchor="middle" className="mid">
        {name}
      </text>
      <rect {...boxed(box)} rx={2} className="box" />
      {light === null ? null : <rect {...boxed(box)} rx={2} className="wash" opacity={0.34 * light} />}
    </g>
  );
}

function Socket({ box, text, on }: { box: Box; text: string; on: boolean }) {
  return (
    <g className={on ? 'socket' : 'socket faint'} data-socket={text}>
      <rect {...boxed(box)} rx={2} className="box" />
      <text x={box.x + box.w / 2} y={box.y + 17} textAnchor="middle" className="mid">
        {text}
      </text>
    </g>
  );
}
