/** Steps, one per contract, each with a question. The ids are types. */
import { MEMORY_QUESTION, MESSAGES_QUESTION, DELIVERY_QUESTION } from './step-questions.js';

export const CONTRACT_STEPS = [
  {
    id: 'memory',
    title: 'Memory: no copies',
    short: 'Memory',
    question: MEMORY_QUESTION,
    text: 'The client sends every message from one buffer, and the server is late with its RECVs (rnr_retry is 7, so the client’s device tries again without limit). One client waits for each completion before it writes the next message into the buffer. Another one does not wait. A third one deregisters the buffer too early.',
  },
  {
    id: 'messages',
    title: 'Messages: no parsing',
    short: 'Messages',
    question: MESSAGES_QUESTION,
    text: 'The client sends messages of different lengths. The server posts RECVs that are long enough, then none (here alone rnr_retry is the parameter “Retries”), then RECVs that are 1 B too short.',
  },
  {
    id: 'delivery',
    title: 'Delivery: no acknowledgments of your own',
    short: 'Delivery',
    question: DELIVERY_QUESTION,
    text: 'The client’s device loses packets: one, then the same one as often as it may try again, then once more than that. Last, the server leaves the connection. The client first ignores its completions. Then it reads them, connects again and sends again what failed.',
  },
] as const;
