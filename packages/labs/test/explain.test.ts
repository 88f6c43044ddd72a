/** Meanings of lines that the programs of rdma-core 44 and perftest 4.5 printed. */
import { describe, expect, it } from 'vitest';
import { Explainer } from '../src/tools/explain/explain.js';

const meanings = (command: string, text: string) =>
  Explainer.of(command.split(' '))!
    .lines(text)
    .map(({ meaning }) => meaning);

const BW = `---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
 65536      1000             4354.77            3488.29\t\t   0.055813
`;
const GBITS = ` #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      1000             24.41              18.13  \t\t   0.034577
`;
const LAT = ` #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] 
 2       1000          4.50           4668.85      4.66     \t       160.09      \t754.39 \t\t4004.01 \t\t4668.85
`;
const TIMED = ` #bytes        #iterations       t_avg[usec]    tps average
 2             65776            7.60           65774.20
`;

describe('the lines of a program', () => {
  it('perftest: MB are MiB, Gb are decimal, and messages per second follow from the rate', () => {
    const [rule, heading, row] = meanings('ib_write_bw -F', BW);
    expect(rule).toBeNull();
    expect(heading!.text).toContain('MB are MiB: 2^20 bytes');
    // 3488.29 × 2^20 × 8 / 10^9 = 29.26; 3488.29 MiB / 64 KiB = 55,813.
    expect(row!.figures).toBe('Average 29.3 Gb/s: 55813 messages of 65536 B per second.');
    const [decimal, same] = meanings('/usr/bin/ib_read_bw', GBITS);
    expect(decimal!.text).toContain('Gb are 10^9 bits');
    expect(same!.figures).toContain('Average 18.1 Gb/s');
  });

  it('perftest: half of a round trip, except for READ, with and without percentiles', () => {
    expect(meanings('ib_write_lat', LAT)[1]!.figures).toBe(
      'Typical (median): 4.66 µs, so 9.32 µs for the round trip.',
    );
    expect(meanings('ib_read_lat', LAT)[1]).toMatchObject({
      text: 'Times of one READ, which is a full round trip.',
      figures: 'Typical (median): 4.66 µs.',
    });
    expect(meanings('ib_send_lat -D 1', TIMED)[1]!.figures).toBe(
      'Average: 7.60 µs, so 15.2 µs for the round trip.',
    );
  });

  it('ping-pong: bytes of both directions, and a full round trip per iteration', () => {
    const [bytes, iterations] = meanings(
      'ibv_rc_pingpong -g 1',
      '8192000 bytes in 0.01 seconds = 4610.02 Mbit/sec\n1000 iters in 0.01 seconds = 14.22 usec/iter\n',
    );
    expect(bytes!.figures).toBe('One direction: 4096000 B at 2.31 Gb/s.');
    expect(iterations!.figures).toBe('Half of it: 7.11 µs.');
  });

  it('explains devices, events and connections, and leaves unknown lines plain', () => {
    expect(meanings('ibv_devinfo -v', '\t\t\tlink_layer:\t\tEthernet\n\tnot known\n')).toMatchObject([
      { text: expect.stringContaining('RoCE') as string },
      null,
    ]);
    expect(meanings('stdbuf -oL ibv_asyncwatch', 'uroce0: async event FD 15\n')[0]).not.toBeNull();
    expect(meanings('rping -c', 'ping data: rdma-ping-0: ABC\n')[0]!.text).toContain('READ');
    expect(meanings('rping -c', 'something else\n')).toEqual([null]);
    expect(Explainer.of(['bash', '-c', 'ib_write_bw'])).toBeNull();
    expect(Explainer.of([])).toBeNull();
  });

  it('rdma: counters that moved, ports, objects, and a kernel without RDMA', () => {
    const [port, counters, device, objects, none, refused] = meanings(
      'rdma statistic show',
      [
        'link rxe0/1 state DOWN physical_state DISABLED netdev eth0 ',
        'link rxe0/1 sent_pkts 12 rcvd_pkts 9 duplicate_request 0 ',
        '0: rxe0: node_type ca fw 6.1 node_guid 5054:00ff:fe12:3456 sys_image_guid 5054:00ff:fe12:3456 ',
        '0: rxe0: pd 1 cq 1 qp 1 cm_id 0 mr 0 ctx 0 ',
        'Failed to open NETLINK_RDMA socket',
        'error: Operation not supported',
      ].join('\n'),
    );
    expect(port!.figures).toContain('Only an ACTIVE port');
    expect(counters!.figures).toBe('Not 0: sent_pkts 12, rcvd_pkts 9.');
    expect(device!.text).toContain('firmware');
    expect(objects!.text).toContain('Objects that exist');
    expect(none!.text).toContain('no RDMA subsystem');
    expect(refused!.text).toContain('embedded device');
  });

  it('keeps the heading of a table over pieces, and every line', () => {
    const explainer = Explainer.of(['ib_send_bw'])!;
    const lines = BW.split('\n');
    explainer.lines(`${lines[1]}\n`);
    expect(explainer.lines(`${lines[2]}\n`)[0]!.meaning!.figures).toContain('29.3 Gb/s');
    expect(
      explainer
        .lines(BW)
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(BW.trimEnd());
  });
});
