import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, outcomes, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

describe('WRITE with immediate', () => {
  it('fails at once with rnr_retry 0, and carries every immediate', async () => {
    const lab = await runLab('write-imm', { rnrRetry: 0, immediate: 0xffff_ffff, size: 256 });
    expect(unmet(lab)).toEqual([]);
    expect(figures(lab)).toMatchObject({ immediate: 0xffff_ffff, tries: 1 });
    expect(outcomes(lab)['missing-recv']).toBe('fails');
  });

  it('notices that its data does not come, although the same place was written before', async () => {
    const empty = meddle('client', 'postSend', (args) =>
      args.wr.opcode === 'RDMA_WRITE_WITH_IMM' ? { ...args, wr: { ...args.wr, local: [] } } : args,
    );
    expect(await unmetUnder([empty], 'write-imm')).toEqual(['recv-completes', 'recv-buffer-untouched']);
  });
});
