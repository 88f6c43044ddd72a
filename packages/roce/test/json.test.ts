import { describe, expect, it } from 'vitest';
import { allOpcodes, captureJson, decodeFile, fieldDoc, glossary, isoTime } from '../src/index.js';
import { captureBytes } from './lib/testdata.js';

describe('captureJson', () => {
  const file = decodeFile(captureBytes('rxe-verbs-and-cm.pcap'));

  it('is plain JSON with every field on request', () => {
    const json = captureJson(file, { layers: true });
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json).toMatchObject({ format: 'pcap', interfaces: [{ linkType: 1 }] });
    expect(json.packets.length).toBe(526);
    const connect = json.packets.find((p) => p.info.startsWith('CM ConnectRequest'))!;
    expect(connect).toMatchObject({
      number: 443,
      protocol: 'RoCEv2',
      kind: 'cm',
      destQp: 1,
      srcQp: 1,
      icrc: 'ok',
    });
    expect(connect.info).toBe(
      'CM ConnectRequest from QP=0x000019 PSN=899159 to RDMA port space TCP, port 7174',
    );
    const ids = connect.layers!.map((l) => l.id);
    expect(ids).toEqual(['ethernet', 'ipv4', 'udp', 'bth', 'deth', 'mad', 'cm', 'ipcm', 'icrc']);
    const service = connect
      .layers!.flatMap((l) => l.fields)
      .find((f) => f.name === 'infiniband.cm.req.serviceid')!;
    expect(service.value).toBe('0x0000000001061c06');
  });

  it('leaves the fields out otherwise', () => {
    expect(captureJson(file).packets.every((p) => p.layers === undefined)).toBe(true);
  });

  it('reports a damaged file', () => {
    const damaged = decodeFile(captureBytes('rxe-verbs-and-cm.pcap').subarray(0, 100_000));
    expect(damaged.packets.length).toBeGreaterThan(100);
    expect(captureJson(damaged).error?.message).toMatch(/^the file ends inside/);
  });

  it('writes times to the nanosecond', () => {
    expect(isoTime(1_795_177_221_573_457_001n)).toBe('2026-11-20T12:20:21.573457001Z');
  });
});

describe('the glossary', () => {
  it('has a sentence for every field that a capture shows', () => {
    expect(glossary().size).toBeGreaterThan(200);
    for (const name of [
      'infiniband.bth.psn',
      'infiniband.aeth.syndrome.timer',
      'infiniband.cm.rej.reason',
      'ip.id',
    ])
      expect(fieldDoc(name)?.doc, name).toMatch(/[.]$/);
    expect(fieldDoc('no.such.field')).toBeUndefined();
  });
  it('has one for every opcode', () => {
    expect(new Set(allOpcodes().map((o) => o.name)).size).toBe(allOpcodes().length);
  });
});
