import { describe, expect, it } from 'vitest';
import { figures, LINKS, outcomes, rows, runLab, unmet } from './helpers/lab-run.js';

describe('the unreliable connection', () => {
  it.each(LINKS)('on the link %s: no ACKs, and a loss that no program notices', async (link) => {
    const lab = await runLab('unreliable-connection', {}, { UROCE_LINK: link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.some(({ applies }) => applies === false)).toBe(false);
    expect(figures(lab)).toMatchObject({ 'uc-acks': 0, 'uc-arrived': 2, 'rc-arrived': 3, 'rc-landed': 4 });
    expect(figures(lab)['rc-acks']).toBeGreaterThan(0);
    expect(figures(lab)['uc-landed']).toBeLessThan(4);
    const [uc] = rows(lab, 'packets');
    expect(uc).toMatchObject({ type: 'UC', messages: 5, sent: 17, acks: 0 });
    expect(rows(lab, 'losses').map(({ dropped }) => dropped)).toEqual([1, 1, 1, 1]);
    expect(outcomes(lab)).toEqual({ loss: 'missing' });
  });
});
