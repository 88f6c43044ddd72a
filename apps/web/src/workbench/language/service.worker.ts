import type { Answered, Answers, Asked, Question } from './messages';
import { ProgramService } from './service';

/** Address of the file that generate-types.mjs writes when the pages are built. */
const TYPES = '/generated/types.json';

async function load(): Promise<ProgramService> {
  const reply = await fetch(TYPES);
  if (!reply.ok) throw new Error(`${TYPES}: HTTP ${reply.status}`);
  return new ProgramService((await reply.json()) as Record<string, string>);
}

let loaded: Promise<ProgramService> | null = null;

function answer(service: ProgramService, { question, text, at, name = '' }: Asked): Answers[Question] {
  service.text = text;
  switch (question) {
    case 'completions':
      return service.completions(at);
    case 'details':
      return service.details(at, name);
    case 'hover':
      return service.hover(at);
    case 'signature':
      return service.signature(at);
    case 'problems':
      return service.problems();
    case 'api':
      return service.api();
  }
}

const post = (m: Answered) => self.postMessage(m);

self.onmessage = async ({ data: asked }: MessageEvent<Asked>) => {
  try {
    // A failed load is repeated with the next question: the agent may be back by then.
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    post({ id: asked.id, ok: true, answer: answer(await loaded, asked) });
  } catch (e) {
    post({ id: asked.id, ok: false, message: e instanceof Error ? e.message : String(e) });
  }
};
