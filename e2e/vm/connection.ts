/** Programs that meet through the connection manager, on both sides of both devices. */
import type { Pair } from './interop.js';
import type { Device } from './guest.js';

/**
 * Shell condition for a bound port. The kernel's connection manager shows ports bound to an address; the embedded
 * device's are socket names.
 */
function listensInCm(device: Device, space: number): (port: number) => string {
  return (port) =>
    device === 'rxe'
      ? `rdma resource show cm_id | grep -q 'LISTEN.*:${port} '`
      : `grep -q '\\.ps${space}\\.${port}$' /proc/net/unix`;
}

const TCP = 0x106;
const UDP = 0x111;

export interface CmLine extends Omit<Pair, 'ready'> {
  ready: (device: Device) => Pair['ready'];
  serverPrints?: RegExp;
  clientPrints?: RegExp;
  /** Text of a failure that is the programs' own if the kernel listens. They run again then. */
  again?: RegExp;
}

const tcp = (device: Device) => listensInCm(device, TCP);
const udp = (device: Device) => () => listensInCm(device, UDP)(7174);

function rping(args: string, count: number): CmLine {
  const data = new RegExp(`ping data: rdma-ping-${count - 1}: `);
  return {
    server: `rping -s -a {at} -p {port} -v -C ${count} ${args}`,
    client: `rping -c -a {at} -p {port} -v -C ${count} ${args}`,
    ready: tcp,
    serverPrints: data,
    clientPrints: data,
  };
}

const done = /return status 0/;

export const meetings: CmLine[] = [
  rping('-V', 10),
  rping('-V -S 60000', 5),
  {
    server: 'rdma_server -s {at} -p {port}',
    client: 'rdma_client -s {at} -p {port}',
    ready: tcp,
    serverPrints: /rdma_server: end 0/,
    clientPrints: /rdma_client: end 0/,
  },
  {
    server: 'ucmatose -b {at} -p {port} -c 5 -C 10',
    client: 'ucmatose -s {at} -p {port} -c 5 -C 10',
    ready: tcp,
    serverPrints: done,
    clientPrints: done,
  },
  {
    server: 'ucmatose -b {at} -p {port} -c 1 -C 5 -S 60000',
    client: 'ucmatose -s {at} -p {port} -c 1 -C 5 -S 60000',
    ready: tcp,
    serverPrints: done,
    clientPrints: done,
  },
  {
    server: 'udaddy -b {at} -c 2 -C 10',
    client: 'udaddy -s {at} -c 2 -C 10',
    ready: udp,
    serverPrints: done,
    clientPrints: done,
  },
  {
    // stdbuf: mckey's output is buffered without a terminal.
    server: 'stdbuf -oL mckey -m 239.1.1.1 -b {at} -C 5',
    client: 'mckey -m 239.1.1.1 -b {from} -C 5 -s',
    ready: () => /joined dgid/,
    serverPrints: done,
    clientPrints: done,
  },
  {
    server: 'ib_send_bw -R -F -p {port} -s 4096 -n 100',
    client: 'ib_send_bw -R -F -p {port} -s 4096 -n 100 {at}',
    ready: tcp,
    // ib_send_bw meets over one connection, closes it and makes another (perftest 4.5, send_bw.c: establish_connection,
    // then create_rdma_cm_connection) without checking that the server listens again. It gets "invalid service ID" if
    // not.
    again: /RDMA_CM_EVENT_REJECTED; error: 8/,
  },
];
