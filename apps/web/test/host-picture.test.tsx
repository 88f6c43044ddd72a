import { LABS } from '@verbslab/labs';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { HostPicture } from '../src/run/host-picture';
import { pictureOf } from '../src/run/model/host-picture';

const lab = LABS.find(({ description }) => description.id === 'minimal-flow')!.description;
const at = (id: string) => lab.steps!.findIndex((step) => step.id === id);
const looks = (id: string) => Object.fromEntries(pictureOf(lab, at(id))!.looks);

describe('the picture of two hosts', () => {
  it('shows what was made before a step, and what the step makes', () => {
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

  it('is a figure with a caption, in which the drawing is left to the eye', () => {
    const html = renderToStaticMarkup(
      <HostPicture lab={lab} index={at('rtr')} states={{ client: 'RTR', server: 'RTR' }} link={undefined} />,
    );
    expect(html).toContain('QP RTR');
    expect(html.match(/<svg aria-hidden="true"/g)).toHaveLength(2);
    expect(html).toMatch(/<figcaption.*Uses.*QP.*on both sides/);
  });

  it('is left out where the lab declares none', () => {
    const plain = { ...lab, steps: lab.steps!.map(({ id, title, text }) => ({ id, title, text })) };
    expect(renderToStaticMarkup(<HostPicture lab={plain} index={0} states={{}} link={undefined} />)).toBe('');
  });
});
