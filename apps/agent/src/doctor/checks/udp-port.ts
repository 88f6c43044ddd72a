import { note, ok, problem, type Finding } from '../finding.js';
import { type Host } from '../host.js';

/** UDP port of RoCEv2. */
const ROCE = 4791;

interface Socket {
  address: string;
  uid: number;
}

/** Local addresses of the sockets on `port`, as /proc/net/udp and udp6 list them (man 5 proc). */
function sockets(host: Host, port: number): Socket[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['udp', 'udp6'].flatMap((file) =>
    (host.read(`/proc/net/${file}`) ?? '')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const cells = line.trim().split(/\s+/);
        const [address, local] = (cells[1] ?? '').split(':');
        if (local !== wanted || address === undefined) return [];
        return [{ address, uid: Number(cells[7]) }];
      }),
  );
}

/** The owner of UDP port 4791. The embedded device binds one address; a socket on all addresses blocks it. */
export function checkUdpPort(host: Host): Finding[] {
  const taken = sockets(host, ROCE);
  const wild = taken.filter(({ address }) => /^0+$/.test(address));
  if (wild.length > 0) {
    const rxe = host.exists('/sys/module/rdma_rxe') && wild.every(({ uid }) => uid === 0);
    const who = rxe ? 'the kernel’s rxe' : `a program of user ${wild[0]?.uid}`;
    const found = rxe ? note : problem;
    return [
      found('port-4791', `UDP port ${ROCE} belongs to ${who}, on every address of this network namespace.`, {
        why: 'The embedded device needs it too (“bind: Address already in use”).',
        cure: rxe
          ? [
              'Use the kernel’s device here, or run the embedded one in a network namespace of its own:',
              'unshare -rn sh -c "ip link set lo up; verbslab run bulk"',
            ]
          : [`sudo ss -ulpn sport = :${ROCE}   # and end that program`],
      }),
    ];
  }
  const others = new Set(taken.filter(({ uid }) => uid !== host.uid).map(({ uid }) => uid));
  if (others.size > 0) {
    return [
      note(
        'port-4791',
        `User ${[...others].join(', ')} uses UDP port ${ROCE} on some address of this machine.`,
        {
          why: 'Processes of one user can share an address; each user needs a different one.',
          cure: ['UROCE_ADDR=127.0.0.2 verbslab up'],
        },
      ),
    ];
  }
  const text = taken.length > 0 ? `has ${taken.length} sockets, all yours: processes share it` : 'is free';
  return [ok('port-4791', `UDP port ${ROCE} ${text}.`)];
}
