import { LABS } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { pictureOf } from '../src/model/host-picture';

const lab = LABS.find(({ description }) => description.id === 'minimal-flow')!.description;
const at = (id: string) => lab.steps!.findIndex((step) => step.id === id);
const looks = (id: string) => Object.fromEntries(pictureOf(lab, at(id))!.looks);

describe('what a lab declares of a step', () => {
  it('has what was made before a step, and what the step makes', () => {
    expect(looks('device')).toMatchObject({ 'client.device': 'uses', 'client.mr': 'absent' });
    expect(looks('memory')).toMatchObject({
      'client.mr': 'makes',
      'server.pd': 'makes',
      'server.qp': 'absent',
    });
    expect(looks('write')).toMatchObject({ 'client.sq': 'uses', 'server.mr': 'uses', 'server.cq': 'there' });
    expect(looks('teardown')).toMatchObject({ 'client.qp': 'removes', 'client.device': 'uses' });
  });

  it('says the same in words', () => {
    expect(pictureOf(lab, at('memory'))!.lines).toEqual([
      { title: 'Creates', text: 'PD and MR on both sides' },
      { title: 'Uses', text: 'device on both sides' },
    ]);
    expect(pictureOf(lab, at('write'))!.lines.at(-1)).toEqual({
      title: 'Sends',
      text: 'client to server: WRITE, with the data; server to client: ACK',
    });
  });

  it('has nothing where the lab declares nothing', () => {
    const plain = { ...lab, steps: lab.steps!.map(({ id, title, text }) => ({ id, title, text })) };
    expect(pictureOf(plain, 0)).toBeNull();
  });
});
