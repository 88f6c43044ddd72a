'use client';
import { LabPage, type LabPageProps } from '../../../labs/lab-page';
import { LAB_PARTS } from '../../lab-parts';

/** Page of a lab with its run. */
export function Lab(props: Omit<LabPageProps, 'parts'>) {
  return <LabPage {...props} parts={LAB_PARTS} />;
}
