import { expect, it } from 'vitest';
import { copiesOf } from '../src/loss/copies.js';

it('tells copies that were lost from those that had arrived', () => {
  // 2 is lost; 3 and 4 arrive and are sent again after it.
  expect(copiesOf([1, 2, 3, 4, 2, 3, 4, 5], [1, 3, 4, 2, 3, 4, 5])).toEqual({
    needed: 5,
    sent: 8,
    lost: 1,
    again: 3,
    hadArrived: 2,
    selective: 1,
    missing: 0,
  });
});

it('counts a retransmission that is lost as well', () => {
  expect(copiesOf([1, 2, 1, 1, 2], [2, 1, 2])).toMatchObject({
    lost: 2,
    again: 3,
    hadArrived: 1,
    selective: 2,
  });
});

it('takes the later of two copies in a row for the one that arrived', () => {
  expect(copiesOf([1, 1, 2], [1, 2])).toMatchObject({ lost: 1, again: 1, hadArrived: 0, selective: 1 });
});

it('does not count the loss of a copy that had arrived before', () => {
  // 2 arrives and is sent again; that copy is lost, and it was not needed.
  expect(copiesOf([1, 2, 1, 2, 3], [2, 1, 3])).toMatchObject({
    lost: 2,
    hadArrived: 1,
    selective: 1,
    missing: 0,
  });
});

it('names packets of which no copy arrived', () => {
  expect(copiesOf([1, 2, 3], [1, 3])).toMatchObject({ missing: 1, selective: 1 });
});
