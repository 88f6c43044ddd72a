/** Questions before the steps, with what a run records if an answer is right. */
import type { StepQuestion } from '@verbslab/protocol';

export const MEMORY_QUESTION: StepQuestion = {
  text: 'One client deregisters a buffer that its device still has to send from. How does its SEND end?',
  options: [
    { id: 'sent', text: 'With success: the device has a copy' },
    {
      id: 'failed',
      text: 'With an error status at the client',
      when: [{ count: 'completions', at: 'client', of: 'LOC_PROT_ERR', min: 1 }],
    },
    {
      id: 'cut',
      text: 'With an error status at the server',
      when: [{ count: 'completions', at: 'server', of: 'LOC_LEN_ERR', min: 1 }],
    },
  ],
  why: 'The device reads the buffer only when it sends. Its lkey is no longer valid then.',
};

export const MESSAGES_QUESTION: StepQuestion = {
  text: 'A message is 1 B longer than its RECV. What does the server’s program get?',
  options: [
    { id: 'cut', text: 'The message without its last byte' },
    {
      id: 'error',
      text: 'A completion with an error status',
      when: [{ count: 'completions', at: 'server', of: 'LOC_LEN_ERR', min: 1 }],
    },
    {
      id: 'two',
      text: 'The message in two RECVs',
    },
  ],
  why: 'A message takes one RECV. If it does not fit, both QPs go to the error state.',
};

export const DELIVERY_QUESTION: StepQuestion = {
  text: 'A packet is lost more often than retry_cnt allows. Which program gets an error status for it?',
  options: [
    {
      id: 'client',
      text: 'The client’s',
      when: [
        { count: 'completions', at: 'client', of: 'RETRY_EXC_ERR', min: 1 },
        { count: 'completions', at: 'server', of: 'RETRY_EXC_ERR', max: 0 },
      ],
    },
    {
      id: 'both',
      text: 'Both',
      when: [{ count: 'completions', at: 'server', of: 'RETRY_EXC_ERR', min: 1 }],
    },
    {
      id: 'neither',
      text: 'Neither: the message is missing, unnoticed',
      when: [
        { count: 'completions', at: 'client', min: 1 },
        { count: 'completions', of: 'RETRY_EXC_ERR', max: 0 },
      ],
    },
  ],
  why: 'Only the sender waits for an ACK. The server cannot miss what it never saw.',
};
