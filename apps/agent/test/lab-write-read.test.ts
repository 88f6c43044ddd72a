import { findLab, plural } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { finishLab, tampered } from './helpers/lab-results.js';
import { figures, rows, runLab, unmet } from './helpers/lab-run.js';

describe('WRITE and READ', () => {
  it('sends 1000 B as one packet', async () => {
    const lab = await runLab('write-read', { size: 1000, signalEvery: 1, writes: 5 });
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab)).toMatchObject({ 'write-packets': 1, 'read-responses': 1, 'batch-completions': 5 });
    expect(rows(lab, 'requests')[1]?.back).toBe('READ response Only');
  });

  it.each([
    [1, '256'],
    [65_536, '4096'],
    [10_001, '512'],
  ])('holds with %i B at a path MTU of %s B', async (size, mtu) => {
    const lab = await runLab('write-read', { size, mtu, writes: 64, signalEvery: 16 });
    expect(unmet(lab)).toEqual([]);
    expect(lab.answer).toContain(`each took ${plural(Math.ceil(size / Number(mtu)), 'packet')} of data`);
    expect(figures(lab)['read-responses']).toBe(Math.ceil(size / Number(mtu)));
  });

  it('says in its answer what a device does that writes nothing', async () => {
    const empty = tampered(findLab('write-read'), {
      args: (op, args) =>
        op === 'postSend' && 'wr' in args && 'opcode' in args.wr && args.wr.opcode === 'RDMA_WRITE'
          ? { ...args, wr: { ...args.wr, local: [] } }
          : args,
    });
    const { answer } = await finishLab(empty);
    expect(answer).toMatch(
      /did not change the server’s memory, and a READ of 4 KiB brought other bytes back/,
    );
    expect(answer).toMatch(
      / 3 checks failed: The WRITE changes the server’s memory\. .*The WRITE is an Only/,
    );
  });
});
