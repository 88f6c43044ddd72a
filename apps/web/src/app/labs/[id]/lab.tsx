'use client';
import { LabExplanations } from '../../../explanations/lab-explanations';
import { LabPage, type LabPageProps } from '../../../labs/lab-page';
import { SweepForm } from '../../../sweeps/sweep-form';

/** Page of a lab, with the sweep over its parameters and the explanations that use its runs. */
export function Lab(props: Omit<LabPageProps, 'sweep' | 'explanations'>) {
  const { lab } = props;
  return (
    <LabPage
      {...props}
      sweep={(form, ready) => <SweepForm lab={lab} form={form} ready={ready} />}
      explanations={<LabExplanations lab={lab.id} />}
    />
  );
}
