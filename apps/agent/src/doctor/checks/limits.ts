import { SOCKET_BUFFER_CURE, SOCKET_BUFFER_WANTED } from '@verbslab/protocol';
import { memlockIn } from '../../devices/machine.js';
import { note, ok, problem, type Finding } from '../finding.js';
import { rdmaDevices, type Host } from '../host.js';

const MIB = 1 << 20;
/** Enough for the labs' regions. */
const COMFORTABLE = 64 * MIB;

/** RLIMIT_MEMLOCK: how much a program may register. */
export function checkMemlock(host: Host): Finding[] {
  const value = memlockIn(host.read('/proc/self/limits') ?? '');
  if (value === undefined) return [];
  if (value === Infinity) return [ok('memlock', 'Locked memory is not limited.')];
  if (value >= COMFORTABLE || host.uid === 0) {
    const text = `The locked-memory limit is ${value / MIB} MiB.`;
    return [ok('memlock', host.uid === 0 ? `${text} Root is exempt from it.` : text)];
  }
  const more = {
    why: "Registering memory locks or pins it. Beyond the limit, the embedded device counts the memory as unpinned; kernel devices refuse it (“Couldn't allocate MR”, “Cannot allocate memory”).",
    cure: [
      'echo "$USER - memlock unlimited" | sudo tee /etc/security/limits.d/rdma.conf   # then log in again',
      'systemd: LimitMEMLOCK=infinity   containers: --ulimit memlock=-1',
    ],
  };
  const text = `The locked-memory limit is ${value / MIB} MiB (ulimit -l).`;
  return [rdmaDevices(host).length > 0 ? problem('memlock', text, more) : note('memlock', text, more)];
}

/** net.core.rmem_max: a small receive buffer loses datagrams of the embedded device when its thread is late. */
export function checkSocketBuffer(host: Host): Finding[] {
  const value = Number(host.read('/proc/sys/net/core/rmem_max'));
  if (!value) return [];
  if (value >= SOCKET_BUFFER_WANTED) return [ok('buffer', `net.core.rmem_max is ${value / MIB} MiB.`)];
  return [
    note(
      'buffer',
      `net.core.rmem_max is ${Math.round(value / 1024)} KiB; the embedded device could use ${SOCKET_BUFFER_WANTED / MIB} MiB.`,
      {
        why:
          'Embedded devices send each other no more than the receiver’s buffer holds: a smaller buffer means shorter bursts and less bandwidth. ' +
          'The kernel’s rxe does not know the buffer’s size and sends 128 packets ahead. Packets that find it full are dropped (counter udp_receive_overruns) and have to be retransmitted.',
        cure: [SOCKET_BUFFER_CURE],
      },
    ),
  ];
}
